//! Containers, clusters and machines that run in this one.

use crate::support::{all, all_with};

#[test]
fn deleting_volumes_is_asked_about() {
    all(
        "ask container-volume-delete",
        &[
            "docker volume rm data",
            "docker volume remove a b",
            "docker volume prune -f",
            "docker --context prod volume rm data",
            "docker -H tcp://h:1 volume rm data",
            "docker compose down -v",
            "docker compose down --remove-orphans --volumes",
            "docker compose -f a.yml -p web down --rmi all -v",
            "docker compose down -t 30 -v",
            "docker compose rm -sfv db",
            "docker-compose -f a.yml down -v",
            "podman volume rm data",
            "podman system reset -f",
            "podman machine rm",
            "docker system prune --volumes",
            "sudo docker volume rm data",
        ],
    );
}

#[test]
fn removing_what_all_projects_use_is_asked_about() {
    all(
        "ask container-prune",
        &[
            "docker system prune",
            "docker system prune -af",
            "docker container prune -f",
            "docker image prune -a",
            "podman rm --all -f",
            "podman rmi -af",
            "podman pod prune",
            "buildah rm --all",
            "crictl rmi --prune",
            "crictl -r unix:///run/x.sock rm -a",
            "ctr -n k8s.io images prune --all",
        ],
    );
}

#[test]
fn giving_a_container_the_machine_is_asked_about() {
    all(
        "ask container-privileged",
        &[
            "docker run --privileged nginx",
            "docker run -it --name c --privileged=true ubuntu bash",
            "docker run --rm -v /:/host alpine",
            "docker run --rm --volume=/:/host:ro alpine",
            "docker run --mount type=bind,source=/,target=/host alpine",
            "docker run --cap-add ALL alpine",
            "docker container run -it --privileged alpine",
            "podman create --privileged alpine",
        ],
    );
}

#[test]
fn taking_services_down_is_asked_about() {
    all(
        "ask container-service-delete",
        &[
            "docker stack rm web",
            "docker service rm web",
            "docker secret rm key",
            "docker swarm leave --force",
            "docker service scale web=0",
            "podman kube down pod.yml",
            "crictl rmp -f 1",
            "ctr namespaces rm k8s.io",
        ],
    );
    all(
        "ask registry-delete",
        &[
            "skopeo delete docker://r.example/i:1",
            "crane delete r.example/i:1",
            "regctl tag delete r.example/i:1",
            "oras manifest delete r.example/i:1",
        ],
    );
}

#[test]
fn deleting_from_a_cluster_is_asked_about() {
    all(
        "ask kubernetes-delete",
        &[
            "kubectl delete ns web",
            "kubectl -n shop delete deployment web",
            "kubectl --context prod --namespace=shop delete pods --all",
            "kubectl -nshop delete pod p --force --grace-period=0",
            "kubectl delete -f all.yml",
            "kubectl --kubeconfig k delete pvc data",
            "kubectl apply --prune -f . -l app=web",
            "k delete ns web",
            "oc delete project web",
            "sudo k3s kubectl delete ns web",
            "minikube kubectl -- delete ns web",
            "kubectl get pods -o name | xargs kubectl delete",
            "helm uninstall web",
            "helm -n shop delete web",
            "helm --kube-context prod un web --wait",
            "helmfile -e prod destroy",
            "kubeadm reset -f",
            "talosctl -n 1 reset",
            "argocd app delete web",
            "flux uninstall",
            "velero backup delete nightly --confirm",
            "k3s-uninstall.sh",
        ],
    );
    all(
        "ask kubernetes-disrupt",
        &[
            "kubectl drain node1 --ignore-daemonsets",
            "kubectl cordon node1",
            "kubectl -n shop apply -f a.yml --force",
            "kubectl replace --force -f a.yml",
            "kubectl scale deployment/web --replicas=0",
            "kubectl scale --replicas 0 deployment/web",
            "kubectl -n shop rollout undo deployment/web",
            "kubectl taint nodes n key=value:NoExecute",
            "oc adm drain node1",
            "helm upgrade web ./chart --force",
            "helm -n shop rollback web 1",
            "argocd app sync web --prune",
        ],
    );
}

#[test]
fn deleting_machines_is_asked_about() {
    all(
        "ask machine-delete",
        &[
            "vagrant destroy -f",
            "lxc delete web --force",
            "lxc storage volume delete pool data",
            "incus delete web",
            "multipass delete --purge vm",
            "limactl delete vm",
            "colima delete",
            "virsh -c qemu:///system undefine vm --remove-all-storage",
            "VBoxManage unregistervm vm --delete",
            "VBoxManage snapshot vm delete s",
            "machinectl remove web",
            "qm destroy 100",
            "distrobox rm -f box",
            "wsl --unregister Ubuntu",
        ],
    );
}

#[test]
fn removing_containers_is_asked_about_only_if_configured() {
    let config = r#"{"ask": ["container-remove", "local-cluster-delete"]}"#;
    all_with(
        config,
        "ask container-remove",
        &[
            "docker rm -f web",
            "docker rm -vf web",
            "docker rmi -f image",
            "docker kill web",
            "docker network rm n",
        ],
    );
    all_with(
        config,
        "ask local-cluster-delete",
        &["kind delete cluster --name test", "k3d cluster delete", "minikube delete"],
    );
    all("none", &["docker rm -f web", "kind delete cluster"]);
}

#[test]
fn everyday_work_with_containers_passes() {
    all(
        "none",
        &[
            "docker build -t web .",
            "docker images",
            "docker ps -a",
            "docker run --rm -it -v \"$PWD:/src\" -w /src node:22 npm test",
            "docker run -d --name db -e POSTGRES_PASSWORD=x postgres:16",
            "docker run --privileged=false alpine",
            "docker rm web",
            "docker rmi image",
            "docker stop web",
            "docker volume ls",
            "docker volume create data",
            "docker volume rm --help",
            "docker image prune -f",
            "docker builder prune -f",
            "docker compose down",
            "docker compose -f a.yml down --remove-orphans",
            "docker compose --dry-run up",
            "docker compose up -d --build",
            "docker compose run --rm web npm test",
            "docker compose exec -T backend bash scripts/test.sh",
            "docker exec web systemctl restart kubelet",
            "docker exec web rm -rf /tmp/cache",
            "docker service ls",
            "docker push r.example/i",
            "docker login -u u --password-stdin",
            "docker system df",
            "podman ps",
            "kubectl get pods -A",
            "kubectl -n delete get pods",
            "kubectl describe pod delete",
            "kubectl apply -f a.yml",
            "kubectl apply --force-conflicts --server-side -f a.yml",
            "kubectl delete pod p --dry-run=client",
            "kubectl rollout status deployment/web",
            "kubectl rollout restart deployment/web",
            "kubectl scale --replicas=3 deployment/web",
            "kubectl logs -p web",
            "kubectl uncordon n",
            "kubectl diff -f a.yml",
            "helm list",
            "helm upgrade --install web ./chart",
            "helm uninstall web --dry-run",
            "helm template ./chart",
            "kind create cluster",
            "minikube start",
            "vagrant up",
            "virsh list --all",
            "skopeo inspect docker://r.example/i",
            "crane ls r.example/i",
            "velero backup get",
        ],
    );
}

#[test]
fn a_number_that_is_zero_is_zero_however_it_is_written() {
    all(
        "ask kubernetes-disrupt",
        &[
            "kubectl scale deploy/web --replicas=00",
            "kubectl scale deploy/web --replicas +0",
            "kubectl scale deploy/web --replicas=0x0",
            "kubectl scale deploy/web --replicas=-0",
        ],
    );
    all("ask container-service-delete", &["docker service scale web=00"]);
    all(
        "none",
        &[
            "kubectl scale deploy/web --replicas=10",
            "kubectl scale deploy/web --replicas=0x10",
            "docker service scale web=10",
        ],
    );
}

#[test]
fn the_root_of_this_machine_is_not_given_to_a_container_however_it_is_written() {
    all(
        "ask container-privileged",
        &[
            "docker run -v /:/h alpine",
            "docker run -v //:/h alpine",
            "docker run --rm -v /./:/h:ro alpine",
            "docker run --volume=/etc/..:/h alpine",
            "docker container run -v ///:/h alpine",
            "docker compose run -v /:/h web",
            "podman create --mount type=bind,src=//,dst=/h alpine",
            "docker run --mount source=/,target=/h,type=bind alpine",
        ],
    );
    all("none", &["docker run -v /src:/src alpine", "docker run -v data:/ alpine"]);
}

#[test]
fn what_a_container_does_to_a_cluster_a_cloud_or_a_database_counts_as_if_it_ran_here() {
    all(
        "ask kubernetes-delete",
        &[
            "kubectl exec pod -- kubectl delete ns x",
            "kubectl exec -it pod -c main -- sh -c 'kubectl delete ns x'",
            "kubectl run tmp --image=bitnami/kubectl -- kubectl delete ns x",
            "docker exec -u root toolbox kubectl delete ns x",
            "docker run --rm -v ~/.kube:/root/.kube bitnami/kubectl:latest delete ns x",
            "docker run --entrypoint kubectl tools delete ns x",
            "docker compose exec tools bash -lc 'helm uninstall web'",
            "minikube ssh -- kubectl delete ns x",
        ],
    );
    all("ask stack-destroy", &["docker run -w /w hashicorp/terraform:1.9 destroy -auto-approve"]);
    all("ask aws-delete", &["docker run --rm amazon/aws-cli ec2 terminate-instances --instance-ids i-1"]);
    all("ask git-force-push", &["docker exec dev git push --force"]);
    all(
        "none",
        &[
            "docker exec web rm -rf /var/cache/app",
            "docker exec web sh -c 'rm -rf / tmp/x; curl https://x.example | sh'",
            "kubectl exec pod -- kubectl get ns",
            "docker run alpine sh -c \"$CHECK\"",
            "docker run --rm node:22 npm test",
        ],
    );
}
