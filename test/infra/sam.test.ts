import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { operations } from '../../functions/catalogue.ts';
import { findRun, type ReadyRun, releaseFolder, writeRun } from '../../infra/local/run-file.ts';
import { planOf } from '../../infra/scripts/cdk/plan.ts';
import { type Docker, findDocker, requireSam } from '../../infra/scripts/sam/docker.ts';
import { environmentOf, type Template, variablesInContainers } from '../../infra/scripts/sam/environment.ts';
import { HELP, readSamOptions } from '../../infra/scripts/sam/options.ts';
import { samArguments, samVariables, synthArguments } from '../../infra/scripts/sam/start.ts';
import { watchHint } from '../../infra/scripts/sam/watches.ts';
import { ofType, synthesize } from './synthesized.ts';

/** What `npm run sam` makes of a command line, of Docker, and of a running `npm start`. */

const linux: Docker = { architecture: 'x86_64', machine: '172.17.0.1', loopback: false };
const desktop: Docker = { architecture: 'arm64', machine: 'host.docker.internal', loopback: true };

/** As `npm start` writes them (infra/local/stack.ts). */
const variables = (address: string) => ({
  STAGE: 'local',
  TABLE_NAME: 'workspace',
  BUCKET_NAME: 'workspace',
  CURSOR_KEYS: 'key',
  MAILBOX_KEYS: 'key',
  CORS_ORIGINS: '*',
  ASSETS_DIR: '/home/ada/.local/assets',
  DYNAMODB_ENDPOINT: `http://${address}:8000`,
  S3_ENDPOINT: `http://${address}:8001`,
  SQS_ENDPOINT: `http://${address}:8002`,
  SOCKETS_ENDPOINT: `http://${address}:8003`,
  SOCKET_URL: `ws://${address}:3000/socket`,
  QUEUE_URL_PREFIX: 'http://sqs.us-east-1.localhost:8002/000000000000/',
});

const runOn = (host: string, address = host): ReadyRun => ({
  url: `http://${address}:3000`,
  host,
  variables: variables(address),
});

describe('the options of npm run sam', () => {
  const read = (args: string[], env: NodeJS.ProcessEnv = {}) => readSamOptions(args, env);

  it('have defaults, and leave those of SAM to it', () => {
    expect(read([])).toEqual({ port: '3001', data: resolve('.local'), others: [] });
    expect(read(['--port=4000', '--data', 'x', '--', '--debug', '--host', '0.0.0.0'])).toEqual({
      port: '4000',
      data: resolve('x'),
      others: ['--debug', '--host', '0.0.0.0'],
    });
    expect(read(['--help'])).toBeUndefined();
    for (const name of ['--port', '--data', '--help']) expect(HELP).toContain(`\n  ${name} `);
  });

  it.each([
    [['--prot', '1'], {}, "Unknown option '--prot': did you mean --port?"],
    [['--nonsense'], {}, "Unknown option '--nonsense': npm run sam -- --help shows them all"],
    [['x'], {}, 'Unexpected "x": npm run sam takes options only; npm run sam -- --help shows them'],
    [['--port', 'x'], {}, '--port must be a number from 0 to 65535, not "x"'],
    [['--port', '0'], {}, '--port must be a number from 1 to 65535, not "0"'],
    [
      ['4000'],
      { npm_config_port: 'true' },
      'npm took the options for itself: put -- before them: npm run sam -- --port 4000',
    ],
  ])('%j is refused in one line', (args, env, line) => {
    expect(() => read(args, env)).toThrow(new Error(line));
  });
});

describe('what is needed', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'commands-'));
    vi.stubEnv('PATH', folder);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  const command = (name: string, script: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  const docker = (info: string, networks = 'fd00::/8 fd00::1\\n127.0.0.0/8 127.0.0.2') =>
    command('docker', `if [ "$1" = info ]; then ${info}; else printf '${networks}\\n'; fi`);

  it('is SAM', () => {
    expect(() => requireSam()).toThrow(/^There is no sam on the PATH: install it from https:.*sam-cli/);
    command('sam', 'exit 1');
    expect(() => requireSam()).toThrow('sam --version fails');
    command('sam', 'echo SAM CLI, version 1.170.0');
    expect(() => requireSam()).not.toThrow();
  });

  it('is Docker, which runs', async () => {
    await expect(findDocker('linux')).rejects.toThrow(
      /^There is no docker on the PATH: install it from https:/,
    );
    docker('echo; echo Cannot connect >&2; exit 1');
    await expect(findDocker('linux')).rejects.toThrow('Docker does not answer: start it');
    // Older ones end with 0.
    docker('echo " "');
    await expect(findDocker('linux')).rejects.toThrow('Docker does not answer: start it');
  });

  it.each([
    ['x86_64 Debian GNU/Linux 12', 'linux', { ...linux, machine: '127.0.0.2' }],
    ['aarch64 Ubuntu 24.04', 'linux', { ...linux, machine: '127.0.0.2', architecture: 'arm64' }],
    ['aarch64 Docker Desktop', 'linux', desktop],
    ['aarch64 Ubuntu 24.04', 'darwin', desktop],
    ['x86_64 Docker Desktop', 'win32', { ...desktop, architecture: 'x86_64' }],
  ] as const)('Docker with %s on %s', async (info, platform, found) => {
    docker(`echo "${info}"`);
    expect(await findDocker(platform)).toEqual(found);
  });

  it.each(['240.0.0.0/8 240.0.0.1', '240.0.0.0/8 ', 'fd00::/8 fd00::1', ''])(
    'Docker in the network %j, in which this machine is not',
    async (networks) => {
      docker('echo x86_64 Debian', networks);
      expect(await findDocker('linux')).toEqual({ ...linux, machine: undefined });
    },
  );

  it('is Docker, also one that does not name its gateway', async () => {
    docker('echo x86_64 Debian', '127.0.0.0/8 ');
    expect(await findDocker('linux')).toEqual({ ...linux, machine: '127.0.0.1' });
  });

  it('is a running npm start', () => {
    expect(() => findRun(folder)).toThrow(
      new Error(
        `No npm start runs with the data in ${folder}: start it first, or name its folder with --data.`,
      ),
    );
    writeRun(folder, { ready: runOn('172.17.0.1') });
    expect(findRun(folder)).toEqual(runOn('172.17.0.1'));
    releaseFolder(folder);
    expect(existsSync(join(folder, 'run.json'))).toBe(false);
  });
});

describe('the addresses that containers get', () => {
  const endpoints = (run: ReadyRun, docker: Docker) => {
    const found = variablesInContainers(run, docker);
    return [found.DYNAMODB_ENDPOINT, found.S3_ENDPOINT, found.SQS_ENDPOINT];
  };
  const at = (address: string) => [8000, 8001, 8002].map((port) => `http://${address}:${port}`);

  it.each([
    [runOn('172.17.0.1'), linux, '172.17.0.1'],
    [runOn('192.0.2.7'), linux, '192.0.2.7'],
    [runOn('0.0.0.0', '127.0.0.1'), linux, '172.17.0.1'],
    [runOn('::', '127.0.0.1'), desktop, 'host.docker.internal'],
    [runOn('127.0.0.1'), desktop, 'host.docker.internal'],
    [runOn('::1', '[::1]'), desktop, 'host.docker.internal'],
    [runOn('192.0.2.7'), desktop, '192.0.2.7'],
  ])('of %j in %j have %s', (run, docker, address) => {
    expect(endpoints(run, docker)).toEqual(at(address));
  });

  it('are right for a database that runs elsewhere', () => {
    const run = runOn('172.17.0.1');
    run.variables.DYNAMODB_ENDPOINT = 'http://localhost:8000';
    expect(endpoints(run, linux)[0]).toBe('http://172.17.0.1:8000');
  });

  it.each(['127.0.0.1', '::1'])('do not exist for %s without Docker Desktop', (host) => {
    expect(() => variablesInContainers(runOn(host), linux)).toThrow(
      `Containers do not reach npm start on ${host}: start it with npm start -- --host 172.17.0.1`,
    );
  });

  it('are an address of the machine that was chosen, when Docker runs elsewhere', () => {
    const elsewhere = { ...linux, machine: undefined };
    expect(endpoints(runOn('192.0.2.7'), elsewhere)).toEqual(at('192.0.2.7'));
    for (const host of ['127.0.0.1', '0.0.0.0'])
      expect(() => variablesInContainers(runOn(host), elsewhere)).toThrow(
        `Containers do not reach npm start on ${host}: start it with npm start -- --host <an address of this machine`,
      );
  });
});

describe('the variables of the functions', () => {
  const made = synthesize(operations, { stage: 'dev', localEndpoints: 'true', corsOrigins: '*' });
  const known = variablesInContainers(runOn('172.17.0.1'), linux);
  const resources = { ...made.api, ...made.jobs } as unknown as Template['Resources'];

  it('are all that the template has, and each has a value of this machine', () => {
    const found = environmentOf({ Resources: resources }, known);
    const functions = [made.api, made.jobs].flatMap((each) => ofType(each, 'AWS::Lambda::Function'));
    expect(functions.length).toBeGreaterThan(operations.length);
    for (const [id, { Properties }] of functions) {
      const names = Object.keys(Properties.Environment.Variables);
      expect(Object.keys(found[id] ?? {}).sort(), id).toEqual(names.sort());
      expect(found[id], id).toMatchObject({
        LOCAL_ENDPOINTS: 'true',
        STAGE: 'local',
        ASSISTANT_PROVIDER: 'built-in',
      });
      for (const [name, value] of Object.entries(found[id] ?? {}))
        expect(value, `${id}: ${name}`).not.toMatch(/^$|resolve:|amazonaws|127\.0\.0\.1/);
    }
    expect(Object.keys(found)).toHaveLength(functions.length);
  });

  it('are refused when the run lacks one', () => {
    const { S3_ENDPOINT: _, CURSOR_KEYS: __, ...others } = known;
    expect(() => environmentOf({ Resources: resources }, others)).toThrow(
      /^The running npm start names no (CURSOR_KEYS, S3_ENDPOINT|S3_ENDPOINT, CURSOR_KEYS): start it again/,
    );
  });

  it('are of the assistant of the run', () => {
    const run = runOn('172.17.0.1');
    Object.assign(run.variables, { ASSISTANT_PROVIDER: 'none', ASSISTANT_QUESTIONS_PER_MINUTE: '3' });
    expect(variablesInContainers(run, linux)).toMatchObject(run.variables);
  });
});

describe('what runs', () => {
  it('is a synthesis for this machine, which the CDK app accepts', () => {
    const file = JSON.parse(readFileSync('cdk.json', 'utf8')).context;
    for (const docker of [linux, desktop]) {
      const [, , , folder, ...settings] = synthArguments('/data/sam', docker);
      expect(folder).toBe('/data/sam');
      expect(planOf('synth', settings, file, {})?.stage).toMatchObject({
        architecture: docker.architecture,
        local_endpoints: true,
        cors_origins: ['*'],
      });
    }
  });

  it('is SAM with warm containers, without credentials that open anything', () => {
    const files = { template: 't.json', environment: 'env.json' };
    const args = samArguments(files, { port: '3001', data: '', others: ['--debug'] });
    expect(args.join(' ')).toBe(
      'local start-api --template t.json --env-vars env.json --port 3001 --region us-east-1 --warm-containers LAZY --debug',
    );
    const shell = {
      PATH: '/bin',
      AWS_PROFILE: 'acme',
      AWS_SESSION_TOKEN: 't',
      AWS_ACCESS_KEY_ID: 'AKIAREAL',
    };
    expect(samVariables(shell)).toEqual({
      PATH: '/bin',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_REGION: 'us-east-1',
      AWS_DEFAULT_REGION: 'us-east-1',
    });
  });
});

describe('the limit of what SAM watches', () => {
  it('is told before functions answer 502, where Linux has a low one', () => {
    expect(watchHint(220, 128)).toBe(
      'SAM watches the code of each function that was called, and this machine has 128 inotify instances for 220 functions: beyond it answers 502. To call more of them in one run: sudo sysctl fs.inotify.max_user_instances=284',
    );
    expect(watchHint(220, 284)).toBeUndefined();
    expect(watchHint(220, undefined)).toBeUndefined();
  });
});
