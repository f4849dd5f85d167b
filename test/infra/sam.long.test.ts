import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import { releaseFolder, writeRun } from '../../infra/local/run-file.ts';
import { root, testFolder } from './started.ts';

/** `npm run sam` with commands in place of Docker and SAM: what SAM gets. */

let folder: string;
let data: string;
beforeEach(async () => {
  folder = await testFolder();
  data = join(folder, 'data');
  mkdirSync(data);
});

function command(name: string, lines: string[]): void {
  writeFileSync(join(folder, name), ['#!/bin/sh', ...lines, ''].join('\n'));
  chmodSync(join(folder, name), 0o755);
}

async function runSam(...options: string[]) {
  const PATH = [folder, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
  const credentials = { AWS_PROFILE: 'acme', AWS_ACCESS_KEY_ID: 'AKIAREAL', AWS_SESSION_TOKEN: 'real' };
  const child = spawn(process.execPath, ['infra/scripts/sam.ts', '--data', data, ...options], {
    cwd: root,
    env: { PATH, HOME: folder, DYNAMODB_ENDPOINT: 'https://dynamodb.example', ...credentials },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, out, err };
}

function describeRun(host: string): void {
  const variables = {
    ...{
      STAGE: 'local',
      TABLE_NAME: 'workspace',
      BUCKET_NAME: 'workspace',
      CURSOR_KEYS: 'k',
      MAILBOX_KEYS: 'k',
      CORS_ORIGINS: '*',
    },
    ...{
      DYNAMODB_ENDPOINT: `http://${host}:1`,
      S3_ENDPOINT: `http://${host}:2`,
      SQS_ENDPOINT: `http://${host}:3`,
      SOCKETS_ENDPOINT: `http://${host}:4`,
      SOCKET_URL: `ws://${host}:3000/socket`,
    },
    QUEUE_URL_PREFIX: 'http://sqs.us-east-1.localhost:3/0/',
  };
  writeRun(data, { ready: { url: `http://${host}:3000`, host, variables } });
}

describe('npm run sam', () => {
  it('gives SAM templates for Docker, variables for its user only, and no credentials', {
    // It bundles all functions.
    timeout: 300_000,
  }, async () => {
    command('docker', [
      'case $1 in',
      'info) echo x86_64 Debian;;',
      '*) echo 127.0.0.0/8 127.0.0.2;;',
      'esac',
    ]);
    command('sam', ['[ "$1" = --version ] || { echo "sam $*"; env | grep AWS_; exit 3; }']);
    describeRun('192.0.2.7');
    const { code, out, err } = await runSam('--port', '4001', '--', '--debug');
    expect({ code, err }).toEqual({ code: 3, err: expect.not.stringContaining('Error') });
    const [, template = '', environment = ''] =
      /--template (\S+) --env-vars (\S+) --port 4001 .*LAZY --debug/.exec(out) ?? [];
    expect(out.match(/^AWS_.*$/gm)?.sort()).toEqual([
      'AWS_ACCESS_KEY_ID=local',
      'AWS_DEFAULT_REGION=us-east-1',
      'AWS_REGION=us-east-1',
      'AWS_SECRET_ACCESS_KEY=local',
    ]);
    expect(statSync(environment).mode & 0o077).toBe(0);
    const variables = JSON.parse(readFileSync(environment, 'utf8'));
    const { Resources } = JSON.parse(readFileSync(template, 'utf8'));
    const names = Object.keys(Resources).filter((id) => Resources[id].Type === 'AWS::Lambda::Function');
    expect(Object.keys(variables)).toEqual(names);
    for (const id of names) {
      const { Architectures, Environment } = Resources[id].Properties;
      expect(Architectures).toEqual(['x86_64']);
      expect(Object.keys(variables[id]).sort()).toEqual(Object.keys(Environment.Variables).sort());
      expect([undefined, 'http://192.0.2.7:1']).toContain(variables[id].DYNAMODB_ENDPOINT);
    }
    releaseFolder(data);
  });

  it('says in one line what is missing, before it bundles', async () => {
    const lines = async (...options: string[]) => {
      const { code, out, err } = await runSam(...options);
      expect({ code, out, lines: err.trimEnd().split('\n').length }).toEqual({ code: 1, out: '', lines: 1 });
      return err;
    };
    expect(await lines('--prot', '1')).toContain('did you mean --port?');
    expect(await lines()).toContain('No npm start runs with the data in');
    describeRun('127.0.0.1');
    expect(await lines()).toContain('There is no sam on the PATH');
    command('sam', ['echo SAM CLI, version 1.170.0']);
    command('docker', ['exit 1']);
    expect(await lines()).toContain('Docker does not answer');
    command('docker', [
      'case $1 in',
      'info) echo x86_64 Debian;;',
      '*) echo 127.0.0.0/8 127.0.0.2;;',
      'esac',
    ]);
    expect(await lines()).toContain(
      'Containers do not reach npm start on 127.0.0.1: start it with npm start -- --host 127.0.0.2',
    );
    const { code, out } = await runSam('--help');
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('npm run sam -- [options]') });
  });
});
