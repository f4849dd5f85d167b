import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { AnyItem } from '#shared/table/table.ts';
import { mergeCall, runIndexings, unmergeCall } from '../../../support/duplicates.ts';
import { crashAfter } from '../../../support/faults.ts';
import { openJobs } from '../../../support/jobs.ts';
import { reduced, rounds } from '../../../support/long.ts';
import { givenContact } from '../../../support/proposals.ts';
import { comment, givenShare, runRemovals, tag } from '../../../support/removed-records.ts';
import { everything } from '../../../support/separated.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

const COMMENTS = reduced(5_000);
const TASKS = rounds(40, 200);

/** A merge of contacts with very much, and its end, whose workers are killed again and again. */
describe(`a contact with ${COMMENTS} comments and ${TASKS} tasks`, () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
  });
  afterAll(() => workspace.stop());

  /** Comments like a first one, straight into the table. */
  async function givenComments(contact_id: string): Promise<void> {
    const { table, grace } = workspace;
    const first = await comment(grace, contact_id, { html_content: 'One of very many' });
    const place = ['contacts', contact_id] as const;
    const [stored, mark, pointer] = await Promise.all([
      table.get<AnyItem>(keys.comment(...place, first.id)),
      table.get<AnyItem>(keys.commenter(...place, grace.user.id, first.id)),
      table.get<AnyItem>(keys.commentPointer(first.id)),
    ]);
    const copies = Array.from({ length: COMMENTS - 1 }, () => {
      const id = newId(new Date());
      return [
        { ...stored, ...keys.comment(...place, id), id },
        { ...mark, ...keys.commenter(...place, grace.user.id, id) },
        { ...pointer, ...keys.commentPointer(id) },
      ];
    });
    await table.writeMany(copies.flat().map((put) => ({ put })));
  }

  /** Each worker is killed after some calls more than the one before; returns the number of those killed. */
  async function work(): Promise<number> {
    const { table } = workspace;
    let killed = 0;
    for (let calls = 3; ; calls += rounds(12, 90), killed++) {
      const crash = crashAfter(table, calls);
      await runRemovals(workspace).catch(() => undefined);
      crash.remove();
      if (!crash.hit) break;
    }
    await runRemovals(workspace);
    // Lists of linked records are updated some at a time.
    while ((await openJobs(table)).length > 0) await runIndexings(workspace);
    return killed;
  }

  const under = (id: string, prefix: string) =>
    workspace.table.count({ partition: keys.record('contacts', id).PK, sort: { begins: prefix } });

  it('moves to another one and back, with tasks, tags and shares of both, whenever its worker is killed', {
    timeout: 600_000,
  }, async () => {
    const { ada, grace, linus } = workspace;
    const [into, from] = [(await givenContact(ada)).id, (await givenContact(ada)).id];
    await givenComments(from);
    await comment(ada, into, { html_content: 'Of the survivor' });
    for (let i = 0; i < TASKS; i += 20)
      await Promise.all(
        Array.from({ length: 20 }, (_, at) => {
          const contact_ids = at % 2 === 0 ? [from] : [into, from];
          return grace.api.createTask({ body: { task: { name: 'About', contact_ids } } });
        }),
      );
    for (const id of [into, from]) {
      await givenShare(
        workspace,
        id,
        { user_id: linus.user.id, group_id: null },
        id === from ? 'edit' : 'view',
      );
      // The lists have both afterwards.
      await tag(ada, id, 'Of both');
    }
    const before = await everything(workspace);

    await mergeCall(ada, into, from);
    expect(await work()).toBeGreaterThan(5);
    expect([await under(from, 'COMMENT#'), await under(into, 'COMMENT#')]).toEqual([0, COMMENTS + 1]);
    expect([await under(from, 'LINKED#'), await under(into, 'LINKED#')]).toEqual([0, TASKS]);

    await unmergeCall(ada, into, from);
    expect(await work()).toBeGreaterThan(5);
    expect(await everything(workspace)).toEqual(before);
  });
});
