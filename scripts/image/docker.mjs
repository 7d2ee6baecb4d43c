// Builds and runs the image with docker.
import { execFileSync } from "node:child_process";
import { run } from "../ci/processes.mjs";

const name = `quartermaster-check-${process.pid}`;

const docker = (...args) =>
  execFileSync("docker", args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();

export const responds = async () => {
  const { code } = await run("docker", ["info"]).catch(() => ({ code: 1 }));
  return code === 0;
};

/** Builds the image. Returns its size in bytes as a registry has it: compressed. */
export const build = (context) => {
  docker("build", "--tag", name, context);
  const save = `docker save ${name} | gzip -1 | wc -c`;
  return { bytes: Number(execFileSync("bash", ["-o", "pipefail", "-c", save])), includes: "all" };
};

/** Read-only and with bubblewrap, as docs/operating/deployment.md has it. */
const options =
  "--read-only --tmpfs /tmp --cap-drop ALL --init --security-opt seccomp=unconfined " +
  "--security-opt apparmor=unconfined --security-opt systempaths=unconfined";

export const start = (port) => {
  const own = `--name ${name} --publish 127.0.0.1:${port}:7420 --volume ${name}:/data`;
  const check = "--env QM_ALLOW_HTTP=1 --health-interval 1s";
  docker(..."run --detach".split(" "), ...`${own} ${check} ${options} ${name}`.split(" "));
  return {
    isHealthy: async () =>
      docker("inspect", "--format", "{{.State.Health.Status}}", name) === "healthy",
    exec: (...args) => run("docker", ["exec", name, ...args]),
    log: () => docker("logs", "--tail", "20", name),
    stop: async () => {
      docker("stop", name);
      return Number(docker("inspect", "--format", "{{.State.ExitCode}}", name));
    },
  };
};

export const remove = async () => {
  await run("docker", ["rm", "--force", name]);
  await run("docker", ["volume", "rm", "--force", name]);
  await run("docker", ["image", "rm", "--force", name]);
};
