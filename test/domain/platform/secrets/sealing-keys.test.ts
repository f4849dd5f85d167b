import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { loginTo } from '#shared/domain/mail/servers/sign-in.ts';
import type { Job } from '#shared/domain/platform/jobs/job.ts';
import { sealingKeys } from '#shared/domain/platform/secrets/sealing-keys.ts';
import { clientOptions, setServices } from '#shared/services.ts';
import { keys } from '#shared/table/keys.ts';
import { Table } from '#shared/table/table.ts';
import { connectMailbox, type OwnServers, PASSWORD, startOwnServers } from '../../../support/connected.ts';
import { readDraft } from '../../../support/drafts.ts';
import { KmsServer } from '../../../support/kms-server.ts';
import { longIt } from '../../../support/long.ts';
import { readMailbox, runMailSync } from '../../../support/mail-sync.ts';
import {
  givenSender,
  jobsOfDrafts,
  queueDraft,
  runSending,
  SendingServers,
} from '../../../support/sending-mail.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

/** The data key of a stage (docs/decisions/0072-mail-servers.md). */
describe('the data key of KMS', () => {
  let workspace: Workspace;
  let own: OwnServers;
  let kms: KmsServer;
  const stored = () =>
    workspace.table.get<{ PK: string; SK: string; encrypted: Uint8Array }>(keys.tableFact('data_key'));

  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    own = await startOwnServers(workspace);
  });
  beforeEach(async () => {
    kms = await new KmsServer().start();
    Object.assign(workspace.ctx.config, { sealing_key: kms.alias, kms_endpoint: kms.endpoint });
  });
  afterEach(async () => {
    await kms.stop();
    await workspace.table.transact([{ delete: keys.tableFact('data_key') }]);
  });
  afterAll(async () => {
    await own.stop();
    await workspace.stop();
  });

  /** An environment of a function that has just started. */
  const environment = () => {
    const { config } = workspace.ctx;
    const table = new Table(config.table_name, new DynamoDBClient(clientOptions(config.dynamodb_endpoint)));
    return { ...workspace.ctx, table };
  };
  const keyIn = async (ctx = environment()) => (await sealingKeys(ctx)).mailbox_keys;

  it('is made once, is stored encrypted, and costs each environment one request', async () => {
    const first = environment();
    const [key] = await keyIn(first);
    expect(Buffer.from(key ?? '', 'base64')).toHaveLength(32);
    await Promise.all([keyIn(first), keyIn(first), keyIn(first)]);
    expect(kms.asked).toEqual(['GenerateDataKey']);
    const second = environment();
    expect(await Promise.all([keyIn(second), keyIn(second)])).toEqual([[key], [key]]);
    expect(kms.asked).toEqual(['GenerateDataKey', 'Decrypt']);
    expect(Buffer.from((await stored())?.encrypted ?? []).toString('base64')).not.toContain(key);
  });

  it('is one, however many environments make it at once', async () => {
    const found = await Promise.all(Array.from({ length: 8 }, () => keyIn()));
    expect(new Set(found.flat()).size).toBe(1);
    expect(await keyIn()).toEqual(found[0]);
  });

  it('is not given when what is stored was changed, and no other takes its place', async () => {
    await keyIn();
    const encrypted = Uint8Array.from((await stored())?.encrypted ?? []);
    encrypted[20] = (encrypted[20] ?? 0) ^ 1;
    await workspace.table.transact([{ put: { ...keys.tableFact('data_key'), encrypted } }]);
    await expect(keyIn()).rejects.toMatchObject({ name: 'InvalidCiphertextException' });
    expect(Uint8Array.from((await stored())?.encrypted ?? [])).toEqual(encrypted);
  });

  it.each(['AccessDeniedException', 'DisabledException', 'KMSInvalidStateException'])(
    'is asked for again after %s, and nothing is sealed with another one',
    async (name) => {
      const ctx = environment();
      kms.refusals.push(name);
      await expect(keyIn(ctx)).rejects.toMatchObject({ name });
      expect(await stored()).toBeUndefined();
      const key = await keyIn(ctx);
      const other = environment();
      kms.refusals.push(name);
      await expect(keyIn(other)).rejects.toMatchObject({ name });
      expect(await keyIn(other)).toEqual(key);
      expect(kms.asked.filter((operation) => operation === 'GenerateDataKey')).toHaveLength(2);
    },
  );

  it('seals the passwords of a mailbox, which every environment opens', async () => {
    const connect = () => connectMailbox(workspace.ada, `box-${Date.now()}@acme.example`, own.servers());
    kms.refusals.push('AccessDeniedException');
    await expect(connect()).rejects.toMatchObject({ status: 500 });
    const { mailbox } = (await connect()).body;
    const item = await workspace.table.get<Mailbox>(keys.mailbox(workspace.account_id, mailbox.id));
    expect(JSON.stringify(item)).not.toContain(PASSWORD);
    expect(await loginTo(environment(), item as Mailbox, 'imap')).toMatchObject({
      secret: { password: PASSWORD },
    });
    const without = { ...environment(), config: { ...workspace.ctx.config, sealing_key: undefined } };
    await expect(loginTo(without, item as Mailbox, 'imap')).rejects.toMatchObject({ name: 'LoginRefused' });
  });

  longIt('is no attempt of a draft while KMS does not give it', async () => {
    const servers = await new SendingServers().start();
    const { ada } = workspace;
    // The one of earlier tests is gone.
    setServices(environment());
    const mailbox_id = await givenSender(workspace, ada, servers);
    const id = await queueDraft(ada, { mailbox_id, subject: 'Winter' });
    for (let run = 0; run < 6; run++) {
      setServices(environment());
      kms.refusals.push('DisabledException');
      const [job] = await jobsOfDrafts(workspace);
      // As sweeps leave it that have sent it again for hours.
      await workspace.table.update<Job>(keys.job(`${job?.id}`), { set: { sends: 6, due: 0 } }, 'NONE');
      expect(await runSending(workspace)).toBe(1);
      expect(kms.refusals).toEqual([]);
    }
    // No sweep gives it up.
    expect(await jobsOfDrafts(workspace)).toMatchObject([{ sends: 1 }]);
    expect(await readDraft(ada, id)).toMatchObject({ status: 'queued', attempts: 0 });
    expect(await runSending(workspace)).toBe(0);
    setServices(workspace.ctx);
    expect(await readDraft(ada, id)).toMatchObject({ status: 'sent', attempts: 1 });
    await servers.stop();
  });

  longIt('locks no mailbox while KMS does not give it', async () => {
    await runMailSync(workspace);
    const { mailbox } = (await connectMailbox(workspace.ada, 'kms@acme.example', own.servers())).body;
    for (let run = 0; run < 4; run++) {
      setServices(environment());
      kms.refusals.push('DisabledException');
      const { status, mail_state } = await readMailbox(workspace, workspace.ada, mailbox.id);
      expect([kms.refusals, status, mail_state?.refusals]).toEqual([[], 'connecting', 0]);
    }
    setServices(workspace.ctx);
    const read = await readMailbox(workspace, workspace.ada, mailbox.id);
    // It is let in: this server has no folders.
    expect(read).toMatchObject({
      status: 'importing',
      mail_state: { last_error: { code: 'provider_failed' } },
    });
  });
});
