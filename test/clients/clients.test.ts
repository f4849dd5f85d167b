import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eml, givenMailbox, importMail } from '../support/mail.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';
import { serveGrown } from './growing.ts';

const run = promisify(execFile);

interface Client {
  /** Generates and compiles it, without a change to what is generated. */
  build(): Promise<unknown>;
  /** Makes the calls; what it read. */
  call(env: Record<string, string>): Promise<string>;
}

async function inFolder(folder: string, command: string, args: string[], env: Record<string, string> = {}) {
  const cwd = join(import.meta.dirname, folder);
  const { stdout } = await run(command, args, { cwd, env: { ...process.env, ...env } });
  return stdout;
}

const npx = (...args: string[]) => inFolder('typescript', 'npx', ['--no-install', ...args]);
const maven = (goals: string[], env?: Record<string, string>) =>
  inFolder('java', 'mvn', ['--batch-mode', '--quiet', '-Dstyle.color=never', ...goals], env);

const clients: Record<string, Client> = {
  'TypeScript by Hey API': {
    build: async () => {
      await inFolder('typescript', 'npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
      const document = join('..', '..', '..', 'docs', 'openapi.json');
      await npx('openapi-ts', '-i', document, '-o', '.local/generated', '-c', '@hey-api/client-fetch');
      await npx('tsc');
    },
    call: (env) => inFolder('typescript', process.execPath, ['.local/compiled/calls.js'], env),
  },
  'Java by OpenAPI Generator': {
    build: () => maven(['compile']),
    call: (env) => maven(['exec:java'], env),
  },
};

beforeAll(() => Promise.all(Object.values(clients).map((client) => client.build())));

describe.each(Object.entries(clients))('a client in %s', (name, client) => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ mail: true });
    const mailbox = await givenMailbox(workspace, workspace.ada);
    await importMail(workspace, workspace.ada, mailbox, [eml({ id: 'ferry@x', subject: 'Ferry times' })]);
  });
  afterAll(() => workspace?.stop());

  const calls = async (url: string, tag: string) => {
    const env = {
      API_URL: url,
      API_KEY: workspace.ada.write_key,
      TAG_NAME: tag,
      QUESTION: 'Which threads are about ferry times?',
    };
    // Maven prints escape sequences around it.
    return JSON.parse(/\{.*\}/.exec(await client.call(env))?.[0] ?? '');
  };

  const read = (tag: string) => ({
    threads: ['Ferry times'],
    tag,
    error: [409, 'tag_name_taken', 'taken'],
    blocks: [expect.stringContaining('Ferry times')],
  });

  it('lists, creates, reads a typed error and the blocks of a reply', async () => {
    expect(await calls(workspace.url, `${name} 1`)).toEqual(read(`${name} 1`));
  });

  it('goes on when responses have more fields than it knows', async () => {
    const later = await serveGrown(workspace.url);
    try {
      expect(await calls(later.url, `${name} 2`)).toEqual(read(`${name} 2`));
    } finally {
      await later.stop();
    }
  });
});
