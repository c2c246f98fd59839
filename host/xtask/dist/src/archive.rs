//! The archive for any Linux: one folder with everything.

use anyhow::Result;

use crate::artifacts::Artifact;
use crate::content::Content;
use crate::release::Release;
use crate::tarball::{Folders, compress_bytes, pack_tree};
use crate::tree::Tree;

/// Packs `hookbox-VERSION-TARGET.tar.gz`.
pub(crate) fn pack_archive(release: &Release, content: &Content) -> Result<Vec<Artifact>> {
    let folder = format!("hookbox-{}-{}", release.version, release.platform.triple);
    let mut tree = Tree::default();
    tree.add_below(&folder, &content.installed);
    tree.add_below(&folder, &content.notices);
    let bytes = compress_bytes(&pack_tree(&tree, release.time, Folders::Listed)?)?;
    Ok(vec![Artifact { name: format!("{folder}.tar.gz"), bytes }])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_archive_is_named_after_version_and_target_and_has_the_same_bytes_again() {
        let pack = || pack_archive(&Release::create_sample(), &Content::create_sample()).unwrap();
        let names: Vec<_> = pack().into_iter().map(|artifact| artifact.name).collect();
        assert_eq!(names, ["hookbox-1.2.3-x86_64-unknown-linux-gnu.tar.gz"]);
        let read_all = || pack().into_iter().map(|artifact| artifact.bytes).collect::<Vec<_>>();
        assert_eq!(read_all(), read_all());
    }
}
