import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseMessage } from '#shared/domain/mail/mime/parse.ts';
import type { Ingestion } from '#shared/domain/mail/threads/delivery.ts';
import { ingestMessage } from '#shared/domain/mail/threads/ingest.ts';
import { membersOf } from '#shared/domain/mail/threads/members.ts';
import { bucketOf } from '#shared/providers/files/bucket.ts';
import { type Draft, eml, givenMailbox } from '../../../support/mail.ts';
import { countRoundTrips } from '../../../support/round-trips.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

/** The cost of a mail does not grow with the number of mails from strangers that claim the same id. */
describe('the cost of mail that claims and names one id', () => {
  let workspace: Workspace;
  let ingestion: Ingestion;
  let mailbox: string;

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    mailbox = await givenMailbox(workspace, workspace.ada);
    const { table, ctx, account_id } = workspace;
    const members = await membersOf(table, account_id);
    ingestion = { table, bucket: bucketOf(ctx), members, now: ctx.clock, ports: ctx.ports };
  });
  afterAll(() => workspace?.stop());

  async function costOf(draft: Draft): Promise<number> {
    const raw = eml(draft);
    const target = ingestion.members.mailboxes.find(
      ({ id }) => id === mailbox,
    ) as (typeof ingestion.members.mailboxes)[number];
    const message = await parseMessage(raw);
    const delivery = {
      account_id: workspace.account_id,
      mailbox: target,
      message,
      raw,
      source: JSON.stringify(draft),
    };
    const { calls } = await countRoundTrips(workspace.table, () => ingestMessage(ingestion, delivery));
    return calls.length;
  }

  const kinds: [string, (i: number) => Draft][] = [
    ['forgeries of one message', (i) => ({ id: 'forged@x', subject: `Subject ${i}`, text: `${i}` })],
    ['forgeries with the same date and subject', (i) => ({ id: 'same@x', subject: 'Same', text: `${i}` })],
    [
      'mails that wait for one that is missing',
      (i) => ({ id: `wait-${i}@x`, in_reply_to: 'missing@x', text: `${i}` }),
    ],
    ['replies to one mail', (i) => ({ id: `reply-${i}@x`, in_reply_to: 'forged@x', text: `${i}` })],
    [
      'mails that begin threads of their own below one',
      (i) => ({ id: `cut-${i}@x`, subject: `Other ${i}`, from: `p${i}@x.example`, in_reply_to: 'forged@x' }),
    ],
  ];
  it.each(kinds)('%s', async (_what, draft) => {
    const costs = [];
    for (let i = 0; i < 30; i++) costs.push(await costOf(draft(i)));
    expect(Math.max(...costs.slice(20))).toBeLessThanOrEqual(Math.max(...costs.slice(2, 8)));
    expect(Math.max(...costs)).toBeLessThan(25);
  });
});
