// The other side: makes bundles by sigstore's own packages, and verifies them. A line of JSON in, a line of JSON out.
"use strict";
const crypto = require("node:crypto");
const readline = require("node:readline");
const { bundleFromJSON, bundleToJSON, toDSSEBundle, toMessageSignatureBundle } = require("@sigstore/bundle");
const { dsse } = require("@sigstore/core");
const { Verifier, toSignedEntity, toTrustMaterial } = require("@sigstore/verify");

const KEYS = { p256: ["ec", { namedCurve: "P-256" }], ed25519: ["ed25519", {}], p384: ["ec", { namedCurve: "P-384" }] };

function make({ kind, key, statement, type }) {
  const { publicKey, privateKey } = crypto.generateKeyPairSync(...KEYS[key]);
  const artifact = Buffer.from(statement);
  const sign = (data) => crypto.sign(key === "ed25519" ? null : "sha256", data, privateKey);
  const bundle =
    kind === "envelope"
      ? toDSSEBundle({ artifact, artifactType: type, signature: sign(dsse.preAuthEncoding(type, artifact)), keyHint: "hint" })
      : toMessageSignatureBundle({
          digest: crypto.createHash("sha256").update(artifact).digest(),
          signature: sign(artifact),
          keyHint: "hint",
        });
  return { bundle: JSON.stringify(bundleToJSON(bundle)), key: publicKey.export({ type: "spki", format: "pem" }) };
}

function verify({ bundle, key, statement }) {
  try {
    const nobody = { certificateAuthorities: [], timestampAuthorities: [], tlogs: [], ctlogs: [] };
    const found = { publicKey: crypto.createPublicKey(key), validFor: () => true };
    const limits = { ctlogThreshold: 0, tlogThreshold: 0, timestampThreshold: 0 };
    const entity = toSignedEntity(bundleFromJSON(JSON.parse(bundle)), Buffer.from(statement));
    new Verifier(toTrustMaterial(nobody, () => found), limits).verify(entity);
    return { good: true };
  } catch (error) {
    return { good: false, why: String(error.message) };
  }
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const asked = JSON.parse(line);
  console.log(JSON.stringify(asked.make ? make(asked) : verify(asked)));
});
