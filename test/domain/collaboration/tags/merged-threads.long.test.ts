import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eml, givenMailbox, importMail, listAllThreads } from '../../../support/mail.ts';
import {
  expectCleanedUp,
  expectConsistent,
  openCleanUps,
  readStored,
  runCleanUp,
} from '../../../support/tags.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

describe('threads that carry a deleted tag and become one', () => {
  let workspace: Workspace;
  let mailbox: string;
  let older: string;
  let younger: string;
  let run = 0;
  beforeEach(async () => {
    workspace = await startWorkspace({ mail: true, own_table: true });
    // The test says when a clean-up runs.
    const urls = workspace.ctx.config.queue_urls;
    urls['clean-up-tag'] = `${urls['clean-up-tag']}-nobody`;
    mailbox = await givenMailbox(workspace, workspace.ada);
    await receive(1);
    [older] = (await threadIds()) as [string];
    await receive(3);
    [younger] = (await threadIds()).filter((id) => id !== older) as [string];
  });
  afterEach(() => workspace?.stop());

  const threadIds = async () => (await listAllThreads(workspace.ada.reader)).map(({ id }) => id);
  /** The first and the third mail are two threads until the second arrives. */
  const receive = (number: 1 | 2 | 3) => {
    const draft = { id: `${number}@x`, date: `Mon, 02 Nov 2026 1${number}:00:00 +0000` };
    const mail =
      number === 1 ? { subject: 'Winch' } : { subject: 'Re: Winch', in_reply_to: `${number - 1}@x` };
    return importMail(workspace, workspace.ada, mailbox, [eml({ ...draft, ...mail })]);
  };
  const create = async () =>
    (await workspace.ada.api.createTag({ body: { tag: { name: `Tag ${run++}` } } })).body.tag.id;
  const apply = (record_id: string, ...tag_ids: string[]) =>
    Promise.all(
      tag_ids.map((tag_id) =>
        workspace.ada.api.applyTag({ params: { record_type: 'threads', record_id }, body: { tag_id } }),
      ),
    );
  const remove = (id: string, replacement_tag_id: string | null) =>
    workspace.ada.api.deleteTag({ params: { id }, body: { replacement_tag_id } });
  const cleanUp = async () => {
    for (const job of await openCleanUps(workspace)) await runCleanUp(workspace, job);
  };

  async function shown(): Promise<[string | undefined, number | null][]> {
    const [thread, ...others] = await listAllThreads(workspace.ada.reader);
    expect([thread?.id, others]).toEqual([older, []]);
    const tags = (await workspace.ada.reader.listTags()).body.collection.records;
    const counted = tags.filter((tag) => tag.thread_count !== 0);
    expect(thread?.tags?.map(({ id }) => id)).toEqual(counted.map(({ id }) => id));
    return counted.map((tag) => [tag.id, tag.thread_count]);
  }

  it.each([
    ['the older the replacement, the younger the deleted tag', [1], [0]],
    ['the older the deleted tag, the younger the replacement', [0], [1]],
    ['both the deleted tag', [0], [0]],
    ['both of them both', [0, 1], [0, 1]],
  ])('before the clean-up: %s', async (_, onOlder, onYounger) => {
    const tags = [await create(), await create()] as [string, string];
    await apply(older, ...onOlder.map((i) => tags[i] as string));
    await apply(younger, ...onYounger.map((i) => tags[i] as string));
    await remove(tags[0], tags[1]);
    await receive(2);
    expect(await shown()).toEqual([[tags[1], 1]]);
    await expectConsistent(workspace.table, workspace.account_id);
    await cleanUp();
    expect(await shown()).toEqual([[tags[1], 1]]);
    await expectCleanedUp(workspace.table, workspace.account_id);
  });

  it('while the clean-up runs', async () => {
    const [tag, next, gone] = [await create(), await create(), await create()];
    await apply(older, next, gone);
    await apply(younger, tag, gone);
    await remove(tag, next);
    await remove(gone, null);
    await Promise.all([receive(2), cleanUp(), cleanUp()]);
    await cleanUp();
    expect(await shown()).toEqual([[next, 1]]);
    // A merge may leave the id of a deleted tag on the thread, where it shows nothing: only taggings are compared.
    const { taggings } = await readStored(workspace.table, workspace.account_id);
    expect(taggings.map(({ tag_id }) => tag_id)).toEqual([next]);
  });

  it('the replacement is applied to and removed from the id that was merged away', async () => {
    const [tag, next] = [await create(), await create()];
    await apply(younger, tag);
    await remove(tag, next);
    await receive(2);
    await apply(younger, next);
    expect(await shown()).toEqual([[next, 1]]);
    await workspace.ada.api.removeTag({
      params: { record_type: 'threads', record_id: younger, tag_id: next },
    });
    expect(await shown()).toEqual([]);
    await cleanUp();
    await expectCleanedUp(workspace.table, workspace.account_id);
  });
});
