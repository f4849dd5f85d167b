import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { madeArchive } from '../support/archives.ts';
import { Dice } from '../support/dice.ts';
import { rounds } from '../support/long.ts';
import { givenMailbox, importThroughApi, listAllThreads } from '../support/mail.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

let workspace: Workspace;

beforeAll(async () => {
  workspace = await startWorkspace({ mail: true });
});
afterAll(() => workspace?.stop());

it('counts everything in archives with poison, fails only poison, and imports all good mail', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.noShrink(fc.integer()), async (seed) => {
      const { bytes, content_type, items } = await madeArchive(new Dice(seed), run++);
      const mailbox = await givenMailbox(workspace, workspace.ada);
      const counts = await importThroughApi(workspace, workspace.ada, mailbox, bytes, content_type);
      const of = (kind: string) => items.filter((item) => item.kind === kind).length;
      expect(counts).toMatchObject({ status: 'complete', messages_total: items.length });
      expect(counts.messages_imported + counts.messages_skipped + counts.messages_failed).toBe(items.length);
      expect(counts.failures).toHaveLength(counts.messages_failed);
      for (const { ordinal } of counts.failures) expect(items[ordinal]?.kind).toBe('bad');
      expect(counts.messages_skipped).toBe(of('again'));
      expect(counts.messages_imported).toBe(items.length - of('again') - counts.messages_failed);
      const threads = await listAllThreads(workspace.ada.reader, { mailbox_id: mailbox });
      const there = threads.reduce((sum, { message_count }) => sum + (message_count ?? 0), 0);
      expect(there).toBe(counts.messages_imported);
    }),
    { numRuns: rounds(8, 50) },
  );
}, 900_000);
