import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Misuse } from '../../cli/options.ts';

/** What `docker` says about where containers run. */
export interface Docker {
  /** Of Lambda: containers of another one are emulated, which is slow, or do not start. */
  architecture: 'x86_64' | 'arm64';
  /** A name or an address by which containers reach this machine; undefined when Docker runs elsewhere. */
  machine: string | undefined;
  /** Whether they reach by it what listens on 127.0.0.1: Docker Desktop forwards it. */
  loopback: boolean;
}

const INSTALL = {
  sam: 'https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/install-sam-cli.html',
  docker: 'https://docs.docker.com/get-started/get-docker/',
};

/** The output of a command; undefined when it fails. Throws Misuse when there is no such command. */
function outputOf(command: keyof typeof INSTALL, args: string[]): string | undefined {
  const { status, stdout, error } = spawnSync(command, args, { encoding: 'utf8' });
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT')
    throw new Misuse(`There is no ${command} on the PATH: install it from ${INSTALL[command]}`);
  return status === 0 ? stdout.trim() : undefined;
}

export function requireSam(): void {
  if (outputOf('sam', ['--version']) === undefined)
    throw new Misuse('sam --version fails: repair the installation of the SAM CLI.');
}

async function isOfThisMachine(host: string): Promise<boolean> {
  const probe = createServer().listen(0, host);
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}

/**
 * The address of this machine in Docker's default network, in which SAM starts containers: the gateway, by default the
 * first address, which older Dockers do not name.
 */
async function addressInNetwork(): Promise<string | undefined> {
  const format = '{{range .IPAM.Config}}{{println .Subnet .Gateway}}{{end}}';
  const networks = outputOf('docker', ['network', 'inspect', 'bridge', '--format', format]) ?? '';
  for (const [, network, gateway] of networks.matchAll(/^([\d.]+)\/\d+ ?([\d.]*)$/gm)) {
    const address = gateway || (network as string).replace(/\d+$/, (last) => String(Number(last) + 1));
    if (await isOfThisMachine(address)) return address;
  }
  return undefined;
}

export async function findDocker(platform = process.platform): Promise<Docker> {
  const info = outputOf('docker', ['info', '--format', '{{.Architecture}} {{.OperatingSystem}}']);
  const [, machine, system] = /^(\S+) (.+)$/.exec(info ?? '') ?? [];
  if (!machine) throw new Misuse('Docker does not answer: start it, and try again when docker info works.');
  const architecture = /^(x86_64|amd64)$/.test(machine) ? 'x86_64' : 'arm64';
  // https://docs.docker.com/desktop/features/networking/#i-want-to-connect-from-a-container-to-a-service-on-the-host
  if (platform !== 'linux' || system === 'Docker Desktop')
    return { architecture, machine: 'host.docker.internal', loopback: true };
  return { architecture, machine: await addressInNetwork(), loopback: false };
}
