import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import type { Config } from '#shared/config.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { closedKey, eraseMoment } from '#shared/domain/identity/accounts/closed.ts';
import type { AuditEvent } from '#shared/domain/identity/audit/event.ts';
import { authenticate } from '#shared/domain/identity/credentials/authenticate.ts';
import { revokeSecret } from '#shared/domain/identity/credentials/delete.ts';
import { hashSecret } from '#shared/domain/identity/credentials/secret.ts';
import { ERASING } from '#shared/domain/identity/erasing/job.ts';
import { findLogin } from '#shared/domain/identity/users/addresses.ts';
import { newInvitation } from '#shared/domain/identity/users/open-invitation.ts';
import { findInvitation } from '#shared/domain/identity/waitlist/accept.ts';
import { signupMail } from '#shared/domain/identity/waitlist/invitation-mail.ts';
import { addToWaitlist } from '#shared/domain/identity/waitlist/store.ts';
import type { Waitlistee } from '#shared/domain/identity/waitlist/waitlistee.ts';
import { newJob } from '#shared/domain/platform/jobs/job.ts';
import { clientOptions } from '#shared/services.ts';
import { keys } from '#shared/table/keys.ts';
import { mustExist, Table } from '#shared/table/table.ts';
import { createTable } from '../../infra/local/dynamodb.ts';
import { freePort } from '../../infra/local/place.ts';
import { writeRun } from '../../infra/local/run-file.ts';
import { admin } from '../../infra/scripts/admin/run.ts';
import { allAccounts } from '../../infra/scripts/all-accounts.ts';
import { openJobs } from '../support/jobs.ts';
import { longIt } from '../support/long.ts';
import { ownTable } from '../support/table.ts';
import { temporaryFolder, testFolder } from './started.ts';

/** `npm run admin`, on a table of its own that a run file names, or a stage. */

interface Answer {
  code: number;
  out: string[];
  err: string[];
}

async function typed(...args: string[]): Promise<Answer> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await admin(args, { out: (line) => out.push(line), err: (line) => err.push(line) });
  return { code, out, err };
}

const owner = ['--name', 'Acme', '--owner', 'Ada Lovelace', '--email', 'ada@acme.example'];
const id = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const live = expect.stringMatching(/^wsk_live_\w{38}$/);

let table: Table;
let client: DynamoDBClient;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  client = new DynamoDBClient(clientOptions(inject('dynamodb_endpoint')));
  table = new Table(await ownTable(), client);
  describeRun(folder.path, inject('dynamodb_endpoint'));
});
afterAll(async () => {
  client.destroy();
  await folder.remove();
});
afterEach(() => vi.unstubAllEnvs());

/** As a run that is ready writes it. */
function describeRun(path: string, DYNAMODB_ENDPOINT: string): void {
  const variables = { TABLE_NAME: table.name, DYNAMODB_ENDPOINT };
  writeRun(path, { ready: { url: 'http://127.0.0.1:3000', host: '127.0.0.1', variables } });
}

/** How a command is run there. */
const toFolder = () => `--data "${folder.path}"`;

const here = (...args: string[]) => typed(...args, '--data', folder.path);

async function made(...args: string[]): Promise<Record<string, string>> {
  const { code, out, err } = await here(...args, '--json');
  expect({ code, err, lines: out.length }).toEqual({ code: 0, err: [], lines: 1 });
  return JSON.parse(out[0] as string);
}

const callerOf = async (secret: string) =>
  (await authenticate(table, hashSecret(secret), new Date()))?.caller;

/** Their users no longer hold their addresses. */
async function closeAccounts(): Promise<void> {
  for (const { id } of await allAccounts(table))
    await table.update<Account>(keys.account(id), { set: { status: 'closed' } });
}

describe('the life of an account', () => {
  afterEach(closeAccounts);

  longIt('begins with an owner, a mailbox and a key that works, alone on stdout', async () => {
    const { code, out, err } = await here('create-account', ...owner, '--time-zone', 'Europe/London');
    expect({ code, out }).toEqual({ code: 0, out: [live] });
    const caller = await callerOf(out[0] as string);
    expect(caller).toMatchObject({
      account: { name: 'Acme', status: 'active', owner_user_id: caller?.user.id },
      user: { name: 'Ada Lovelace', first_name: 'Ada', last_name: 'Lovelace', role: 'owner' },
      credential: { kind: 'api_key', tier: 'read_write' },
    });
    expect(caller?.user).toMatchObject({ time_zone: 'Europe/London', primary_mailbox_id: id });
    expect(err.join('\n')).toContain(caller?.account.id);
    expect(err.join('\n')).not.toContain(out[0]);
  });

  longIt('goes on with users, mailboxes and keys, which list shows, without secrets', async () => {
    const { account_id = '', secret: first } = await made('create-account', ...owner);
    const account = ['--account', account_id];
    const grace = ['--name', 'Grace Hopper', '--email', 'Grace@Acme.example', '--role', 'admin'];
    const added = await here('add-user', ...account, ...grace);
    expect(added).toEqual({ code: 0, out: [id], err: [expect.stringContaining('<grace@acme.example>')] });
    const audited = await table.all<AuditEvent>(keys.auditEvent(account_id, '').PK);
    expect(audited.at(-1)).toMatchObject({
      ...{ action: 'user_added', user_id: null },
      subject: { type: 'user', id: added.out[0], name: 'Grace Hopper' },
    });
    const { mailbox_id } = await made('add-mailbox', ...account, '--user', 'grace@acme.example');
    const second = await here('issue-key', ...account, '--user', added.out[0] as string, '--tier', 'read');
    expect(second.out).toEqual([live]);
    expect((await callerOf(second.out[0] as string))?.user).toMatchObject({
      name: 'Grace Hopper',
      role: 'admin',
      mailboxes: { [mailbox_id as string]: 'owner' },
    });
    const listed = JSON.parse((await here('list', ...account, '--json')).out[0] as string);
    expect(listed).toEqual({
      users: [
        { id, name: 'Ada Lovelace', email_address: 'ada@acme.example', role: 'owner', status: 'active' },
        {
          id: added.out[0],
          name: 'Grace Hopper',
          email_address: 'grace@acme.example',
          role: 'admin',
          status: 'active',
        },
      ],
      mailboxes: [
        { id, user_id: id, email_address: 'ada@acme.example', name: 'Ada Lovelace' },
        { id: mailbox_id, user_id: added.out[0], email_address: 'grace@acme.example', name: 'Grace Hopper' },
      ],
      api_keys: [
        expect.objectContaining({ name: 'First key', tier: 'read_write' }),
        expect.objectContaining({
          name: 'Key',
          tier: 'read',
          user_id: added.out[0],
          last_used_at: expect.any(String),
        }),
      ],
    });
    const shown = (await here('list', ...account)).out.join('\n');
    expect(shown.split('\n')).toHaveLength(6);
    for (const secret of [first as string, second.out[0] as string]) expect(shown).not.toContain(secret);
    expect((await here('list')).out.join('\n')).toContain(account_id);
  });

  it('ends keys and sessions by their ids, and issues them for a time', async () => {
    const { account_id = '', api_key_id = '', secret = '' } = await made('create-account', ...owner);
    const account = ['--account', account_id];
    const user = ['--user', 'ada@acme.example'];
    const limited = await made(
      'issue-key',
      ...account,
      ...user,
      '--expires',
      '2999-01-01',
      '--name',
      'Export',
    );
    const row = await table.get(keys.apiKeyRow(account_id, limited.api_key_id as string));
    expect(row).toMatchObject({ name: 'Export', expires_at: '2999-01-01T00:00:00.000Z' });
    const session = await made('issue-key', ...account, ...user, '--session');
    const credential = { kind: 'session', id: session.session_id };
    expect((await callerOf(session.secret as string))?.credential).toMatchObject(credential);
    await revokeSecret({ table, now: new Date() }, session.secret as string);
    expect(await callerOf(session.secret as string)).toBeUndefined();
    expect((await here('revoke', ...account, '--key', api_key_id)).code).toBe(0);
    expect(await callerOf(secret)).toBeUndefined();
    expect(await here('revoke', ...account, '--key', api_key_id)).toMatchObject({
      code: 1,
      err: [
        `The account has no key ${api_key_id}: npm run admin -- list --account ${account_id} ${toFolder()} shows them`,
      ],
    });
  });
});

describe('create-account', () => {
  it('needs an address alone; the owner signs in with it from then on', async () => {
    const { account_id = '', user_id = '' } = await made('create-account', '--email', 'Lin@harbour.example');
    const account = await table.get<Account>(keys.account(account_id));
    expect(account).toMatchObject({ name: 'harbour.example', owner_user_id: user_id, status: 'active' });
    const user = await table.get(keys.user(account_id, user_id));
    expect(user).toMatchObject({ name: 'lin', role: 'owner', email_address: 'lin@harbour.example' });
    expect(await findLogin(table, 'lin@harbour.example')).toMatchObject({ account_id, user_id });
  });

  it('gives a session in place of the key, and nobody two accounts', async () => {
    const named = ['create-account', '--email', 'moira@harbour.example', '--session'];
    const { session_id, secret = '', api_key_id } = await made(...named);
    expect(api_key_id).toBeUndefined();
    expect((await callerOf(secret))?.credential).toMatchObject({ kind: 'session', id: session_id });
    expect(await here(...named)).toMatchObject({
      ...{ code: 1, out: [], err: ['--email belongs to another user of the service.'] },
    });
  });
});

describe('closed accounts', () => {
  const closed = async (email: string) => {
    const { account_id = '' } = await made(
      'create-account',
      '--name',
      'Closed',
      '--owner',
      'Ada',
      '--email',
      email,
    );
    const closed_at = new Date().toISOString();
    const account = await table.update<Account>(keys.account(account_id), {
      set: { status: 'closed', closed_at },
    });
    const erase_at = eraseMoment(closed_at);
    await table.put({ ...closedKey(account), account_id, closed_at, erase_at });
    return account_id;
  };

  it('are listed with how far erasing has come, and opened again', async () => {
    const nothing = await here('list-closed');
    expect(nothing).toEqual({ code: 0, out: [], err: ['Nothing is being erased.'] });
    const [first, second] = [await closed('first@closed.example'), await closed('second@closed.example')];
    const job = { ...newJob('erase-accounts', {}, new Date(), ERASING), account_ids: [second] };
    await table.put({ ...job, pass: 2, found: 0, erased: 17 });
    const { out, err } = await here('list-closed');
    expect(err).toEqual([
      'Erasing one account: 17 items are gone, now reading 2 of the table; message 1 of 6.',
    ]);
    const lines = (out[0] ?? '').split('\n');
    expect(lines.find((line) => line.startsWith(first))).toMatch(
      /closed 2\S+Z {2}erased from \d{4}-\d\d-\d\dT00:00/,
    );
    expect(lines.find((line) => line.startsWith(second))).toMatch(/being erased/);
    expect(await made('list-closed')).toMatchObject({ erasing: { pass: 2, erased: 17 } });

    await made('create-account', '--name', 'Next', '--owner', 'Bob', '--email', 'first@closed.example');
    const invited = { status: 'invited', joining: true, name: 'Lin', email_address: 'lin@closed.example' };
    await table.put({ ...keys.user(first, 'lin'), ...invited, id: 'lin', account_id: first });
    const opened = await here('reopen-account', '--account', first);
    expect([opened.code, opened.out]).toEqual([0, [first]]);
    expect(opened.err).toMatchObject([
      expect.stringMatching(/^Closed is open again: /),
      expect.stringMatching(/ cannot sign in: first@closed\.example has another user now\.$/),
    ]);
    expect(await table.get<Account>(keys.account(first))).toMatchObject({ status: 'active' });
    expect(await made('list-closed')).toMatchObject({ accounts: [{ id: second, erasing: true }] });
  });

  it('are not opened that are open, unknown, or being erased', async () => {
    const reopen = async (account: string) => (await here('reopen-account', '--account', account)).err;
    const id = await closed('erasing@closed.example');
    await table.update<Account>(keys.account(id), { set: { erasing: true } });
    expect(await reopen(id)).toEqual([`The account ${id} is being erased`]);
    await table.update<Account>(keys.account(id), { set: { status: 'active' }, remove: ['erasing'] });
    expect(await reopen(id)).toEqual([`The account ${id} is not closed`]);
    expect((await reopen('none'))[0]).toMatch(/^There is no account none/);
  });
});

describe('the waitlist', () => {
  it('is listed oldest first, and invited from: the token alone on stdout, and never again', async () => {
    expect(await here('list-waitlist')).toEqual({ code: 0, out: [], err: ['Nobody is on the waitlist.'] });
    const note = 'Two boats\nand a winch';
    for (const [i, name] of ['Ada', 'Grace \u001b[31mHopper'].entries())
      await addToWaitlist(
        table,
        { email_address: `${i}@wait.example`, name, note },
        new Date(1e12 + i * 9e7),
      );
    const invited = await here('invite', '--email', '1@Wait.example');
    expect(invited).toEqual({
      ...{ code: 0, out: [expect.stringMatching(/^wsk_signup_[\w-]{32}$/)] },
      err: [expect.stringContaining('1@wait.example, for 14 days')],
    });
    expect(await here('list-waitlist')).toEqual({
      ...{ code: 0, err: [] },
      out: [
        '2001-09-09  waiting  0@wait.example  Ada\n2001-09-10  invited  1@wait.example  Grace  [31mHopper',
      ],
    });
    const { waitlistees } = (await made('list-waitlist', '--status', 'invited')) as unknown as {
      waitlistees: object[];
    };
    expect(waitlistees).toMatchObject([{ email_address: '1@wait.example', note, status: 'invited' }]);
    expect(JSON.stringify(waitlistees)).not.toContain('token');
    expect(await made('invite', '--email', 'new@wait.example')).toMatchObject({
      email_address: 'new@wait.example',
      signup_token: expect.any(String),
    });
  });

  it('invites by mail: no token is told or stored, and the mail has one that works', async () => {
    const email_address = 'mail@wait.example';
    expect(await here('invite', '--mail', '--email', email_address)).toEqual({
      ...{ code: 0, out: [] },
      err: [`An invitation is mailed to ${email_address} within a minute.`],
    });
    const jobs = await openJobs(table, 'send-mail');
    expect(jobs).toMatchObject([{ body: { mail: 'signup_invitation', data: { email_address } }, sends: 0 }]);
    const config = { addresses: { app: 'https://app.acme.example', api: undefined } } as Config;
    const ctx = { config, table, now: new Date() } as Parameters<typeof signupMail.write>[0];
    const mail = await signupMail.write(ctx, { email_address });
    const token = /#signup_token=([\w-]+)/.exec(JSON.stringify(mail))?.[1] ?? '';
    expect(mail).toMatchObject({ to: email_address, subject: expect.stringContaining('invited') });
    expect(mail?.parts).toContainEqual({ code: token });
    expect(await findInvitation(table, { signup_token: token, email_address }, ctx.now)).toBeDefined();
    await table.update<Waitlistee>(keys.waitlistee(email_address), { set: { status: 'joined' } });
    await here('create-account', '--email', email_address);
    expect(await signupMail.write(ctx, { email_address })).toBeUndefined();
    expect((await here('invite', '--mail', '--email', email_address)).err).toEqual([
      `${email_address} was invited and has joined.`,
    ]);
  });

  it('accounts from before billing are named, and get a job each', async () => {
    const { account_id } = await made(
      'create-account',
      '--name',
      'Bill',
      '--owner',
      'Bill',
      '--email',
      'bill@acme.example',
    );
    const asked = await made('bill-accounts');
    expect(asked.account_ids).toContain(account_id);
    expect(await made('bill-accounts')).toEqual(asked);
    const jobs = await openJobs(table, 'update-billing');
    expect(jobs.filter(({ body }) => body.account_id === account_id)).toMatchObject([
      { body: { opens: true }, sends: 0 },
    ]);
  });
});

describe('what cannot be done is one line', () => {
  let account_id: string;
  beforeAll(async () => {
    account_id = (await made('create-account', ...owner)).account_id as string;
  });

  const of = (command: string, ...more: string[]) => [command, '--account', 'ACCOUNT', ...more];
  const grace = ['--name', 'Grace', '--email', 'grace@acme.example'];

  it.each<[string[], string]>([
    [['add-usr'], 'Unknown command "add-usr": did you mean add-user?'],
    [['frobnicate'], 'Unknown command "frobnicate": npm run admin -- --help shows them all'],
    [['list', '--acount', 'x'], "Unknown option '--acount': did you mean --account?"],
    [['list', 'x'], 'Unexpected "x": list takes options only; npm run admin -- list --help shows them'],
    [
      ['create-account', '--name', 'A'],
      'Missing --email: npm run admin -- create-account --help shows what is needed',
    ],
    [of('add-user', '--name', 'G', '--email', 'nope'), '--email must be an email address, not "nope"'],
    [of('add-user', '--name', ' ', '--email', 'a@b.example'), '--name must not be empty, not " "'],
    [
      of('add-user', '--name', 'G', '--email', 'ADA@acme.example'),
      '--email belongs to another user of the service.',
    ],
    [
      of('add-user', ...grace, '--role', 'amdin'),
      '--role must be admin or member (did you mean admin?), not "amdin"',
    ],
    [
      of('add-user', ...grace, '--time-zone', 'Europe/Lodnon'),
      '--time-zone must be a time zone such as Europe/London, not "Europe/Lodnon"',
    ],
    [
      ['add-user', '--account', 'nope', ...grace],
      'There is no account nope: npm run admin -- list TO_FOLDER shows them all',
    ],
    [
      of('issue-key', '--user', 'aad@acme.example'),
      'The account has no user aad@acme.example: did you mean ada@acme.example?',
    ],
    [
      of('issue-key', '--user', 'x'),
      'The account has no user x: npm run admin -- list --account ACCOUNT TO_FOLDER shows them',
    ],
    [
      of('issue-key', '--user', 'ada@acme.example', '--expires', '2001-01-01'),
      '--expires must be in the future.',
    ],
    [
      of('issue-key', '--user', 'ada@acme.example', '--expires', 'soon'),
      '--expires must be a day or a moment such as 2030-01-31, not "soon"',
    ],
    [of('revoke'), 'Give either --account and --key, or --secret'],
    [['list', '--stage', 'prod'], 'Give either --stage or --data'],
  ])('%j: %s', async (args, line) => {
    const named = args.map((arg) => (arg === 'ACCOUNT' ? account_id : arg));
    const said = line.replace('ACCOUNT', account_id).replace('TO_FOLDER', toFolder());
    expect(await here(...named)).toEqual({ code: 1, out: [], err: [said] });
  });

  it('a mailbox that the user has', async () => {
    const { code, err } = await here('add-mailbox', '--account', account_id, '--user', 'ada@acme.example');
    expect(code).toBe(1);
    expect(err).toEqual([
      expect.stringMatching(/^Ada Lovelace has a mailbox ada@acme\.example already: [\w-]+$/),
    ]);
  });

  it('a user whose address has a user of another account, unless that account is closed', async () => {
    const other = await made('create-account', '--name', 'B', '--owner', 'Bob', '--email', 'bob@b.example');
    const add = () => here('add-user', '--account', account_id, '--name', 'Bob', '--email', 'BOB@b.example');
    const refused = { code: 1, err: ['--email belongs to another user of the service.'] };
    expect(await add()).toMatchObject(refused);
    await table.update<Account>(keys.account(other.account_id as string), { set: { status: 'closed' } });
    expect(await add()).toMatchObject({ code: 0 });
    expect(await add()).toMatchObject(refused);
  });

  it('a user whose address the account invites, but not one that another account invites', async () => {
    const other = await made('create-account', '--name', 'C', '--owner', 'Cy', '--email', 'cy@c.example');
    const invited = (account: string) =>
      table.put(newInvitation({ id: 'di', account_id: account, email_address: 'di@d.example' }));
    const add = (account: string) =>
      here('add-user', '--account', account, '--name', 'Di', '--email', 'DI@d.example');
    await invited(other.account_id as string);
    const refused = { code: 1, err: ['--email belongs to another user of the service.'] };
    expect(await add(other.account_id as string)).toMatchObject(refused);
    expect(await add(account_id)).toMatchObject({ code: 0 });
  });

  it('two users with one address at once: one is added', async () => {
    const both = await Promise.all([1, 2].map(() => here('add-user', '--account', account_id, ...grace)));
    expect(both.map(({ code }) => code).toSorted()).toEqual([0, 1]);
    expect(both.flatMap(({ err }) => err)).toContain('--email belongs to another user of the service.');
  });

  it('a key that the account does not allow', async () => {
    await table.update(keys.account(account_id), {
      set: { api_access: 'read_only' },
      when: mustExist,
    } as never);
    const user = ['--account', account_id, '--user', 'ada@acme.example'];
    const { code, err } = await here('issue-key', ...user);
    expect({ code, err }).toEqual({
      code: 1,
      err: [
        'API access is read-only for this account. Ask an account admin to allow writes, or use read operations only.',
      ],
    });
    expect((await here('issue-key', ...user, '--tier', 'read')).code).toBe(0);
  });

  it('options that npm took', async () => {
    vi.stubEnv('npm_config_name', 'true');
    expect(await here('create-account', 'Acme')).toMatchObject({
      code: 1,
      err: [
        'npm took the options for itself: put -- before them: npm run admin -- create-account --name Acme',
      ],
    });
  });
});

describe('the help', () => {
  const names = ['create-account', 'add-user', 'add-mailbox', 'issue-key', 'list', 'revoke'];

  it('names all commands, on stdout when it is wanted', async () => {
    const wanted = await typed('--help');
    expect(wanted).toMatchObject({ code: 0, err: [] });
    for (const name of names) expect(wanted.out[0]).toContain(`\n  ${name} `);
    expect(await typed()).toEqual({ code: 1, out: [], err: wanted.out });
  });

  it.each(names)('of %s names its options, and needs no server', async (name) => {
    const { code, out, err } = await typed(name, '--help', '--data', '/nowhere');
    expect({ code, err }).toEqual({ code: 0, err: [] });
    expect(out[0]).toContain(`  npm run admin -- ${name}`);
    for (const option of ['--stage', '--data', '--json', '--help'])
      expect(out[0]).toContain(`\n  ${option} `);
  });
});

describe('without a server', () => {
  it('says what to start', async () => {
    const data = await testFolder();
    expect(await typed('list', '--data', data)).toEqual({
      code: 1,
      out: [],
      err: [
        `No npm start runs with the data in ${data}: start it first, name its folder with --data, or a deployed stage with --stage.`,
      ],
    });
  });

  it('that is ready, says to wait', async () => {
    const data = await testFolder();
    writeRun(data, { database_pid: null });
    expect((await typed('list', '--data', data)).err).toEqual([
      `npm start with the data in ${data} is not ready yet: try again when it prints ready.`,
    ]);
  });

  it('that answers, says so', async () => {
    const data = await testFolder();
    describeRun(data, `http://127.0.0.1:${await freePort('127.0.0.1')}`);
    expect((await typed('list', '--data', data)).err).toEqual([
      `npm start with the data in ${data} does not answer (ECONNREFUSED).`,
    ]);
  });
});

describe('on a stage', () => {
  /** Of nobody: no credentials of this machine are used. */
  function asDeveloper(env: Record<string, string>): void {
    const files = { AWS_SHARED_CREDENTIALS_FILE: '/nowhere', AWS_CONFIG_FILE: '/nowhere', AWS_PROFILE: '' };
    const none = { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '', AWS_SESSION_TOKEN: '', AWS_REGION: '' };
    const settings = { ...files, ...none, AWS_DEFAULT_REGION: '', AWS_EC2_METADATA_DISABLED: 'true', ...env };
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value || undefined);
  }
  const keysOf = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'eu-west-1' };

  /** Refuses every call as DynamoDB does. */
  async function refusing(type: string): Promise<string> {
    const server = createServer((_request, response) => {
      response.writeHead(400, { 'Content-Type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify({ __type: `com.amazon.coral.service#${type}`, message: 'no' }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it('works on the table of that name', async () => {
    const stage = `t${Date.now()}`;
    await createTable(inject('dynamodb_endpoint'), `WorkspaceApi-${stage}`);
    asDeveloper({ ...keysOf, AWS_ENDPOINT_URL_DYNAMODB: inject('dynamodb_endpoint') });
    const { code, out } = await typed('create-account', ...owner, '--stage', stage);
    expect({ code, out }).toEqual({ code: 0, out: [live] });
    expect((await typed('list', '--stage', stage)).out.join('\n')).toContain('Acme');
    expect((await typed('list', '--account', 'nope', '--stage', stage)).err).toEqual([
      `There is no account nope: npm run admin -- list --stage ${stage} shows them all`,
    ]);
  });

  it('says what is missing: region, credentials, table', async () => {
    asDeveloper({});
    expect((await typed('list', '--stage', 'prod')).err).toEqual([
      'There is no AWS region: set AWS_REGION to the region of the stage.',
    ]);
    asDeveloper({ AWS_REGION: 'eu-west-1' });
    expect((await typed('list', '--stage', 'prod')).err).toEqual([
      expect.stringMatching(/^There are no AWS credentials: set AWS_PROFILE, or AWS_ACCESS_KEY_ID /),
    ]);
    asDeveloper({ ...keysOf, AWS_ENDPOINT_URL_DYNAMODB: inject('dynamodb_endpoint') });
    expect((await typed('list', '--stage', 'prdo')).err).toEqual([
      'There is no table for stage prdo in this AWS account and region: check --stage, AWS_PROFILE and AWS_REGION.',
    ]);
  });

  it.each([
    ['UnrecognizedClientException', /^AWS does not know the credentials: set AWS_PROFILE/],
    ['ExpiredTokenException', /^The AWS credentials have expired: sign in again/],
    ['InvalidSignatureException', /^AWS refuses the credentials/],
    ['AccessDeniedException', /^The AWS credentials may not read and write the table of stage prod/],
    ['SomethingElse', /^SomethingElse: no$/],
  ])('explains %s in one line', async (type, line) => {
    asDeveloper({ ...keysOf, AWS_ENDPOINT_URL_DYNAMODB: await refusing(type) });
    expect(await typed('list', '--stage', 'prod')).toEqual({
      code: 1,
      out: [],
      err: [expect.stringMatching(line)],
    });
  });

  it('has jobs sent again that were given up, and no others', async () => {
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000);
    const given = { ...newJob('index-records', {}, at(-30)), sends: 6 };
    const waits = { ...newJob('index-records', {}, at(30)), sends: 6 };
    for (const job of [given, waits]) await table.put(job);
    expect(await made('retry-jobs')).toEqual({ job_ids: [given.id] });
    expect(await table.get(keys.job(given.id))).toMatchObject({ sends: 0 });
    expect(await table.get(keys.job(waits.id))).toEqual(waits);
    expect((await here('retry-jobs')).err).toEqual([
      '0 jobs will be sent by the next sweep, within a minute.',
    ]);
  });
});
