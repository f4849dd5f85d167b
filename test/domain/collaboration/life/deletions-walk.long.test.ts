import { afterAll, beforeAll, expect, it } from 'vitest';
import { listsOfRecords } from '#shared/composition/record-lists.ts';
import type { RestorableType } from '#shared/domain/collaboration/records/types.ts';
import { deletedIds, remove, restore, retrieve } from '../../../support/deletions.ts';
import { Dice } from '../../../support/dice.ts';
import { codeOf } from '../../../support/failures.ts';
import { expectListed } from '../../../support/list-places.ts';
import { rounds } from '../../../support/long.ts';
import { givenOrganization } from '../../../support/organizations.ts';
import { givenContact } from '../../../support/proposals.ts';
import { givenTask } from '../../../support/proposed-records.ts';
import { comment, comments, runRemovals, tag } from '../../../support/removed-records.ts';
import { expectConsistent, runListJobs } from '../../../support/tags.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** What records show after any deletions, returns and links, against a model that only remembers. */

interface Modelled {
  type: RestorableType;
  id: string;
  there: boolean;
  /** Of a task: contacts and organizations that it is about when they are there. */
  links: Set<string>;
  tags: Set<string>;
  comments: number;
}

let workspace: Workspace;
let ada: TestUser;
beforeAll(async () => {
  workspace = await startWorkspace({ own_table: true });
  ({ ada } = workspace);
});
afterAll(() => workspace.stop());

const modelled = (type: RestorableType, { id }: { id: string }): Modelled => ({
  ...{ type, id, there: true, comments: 0 },
  ...{ links: new Set(), tags: new Set() },
});

async function world(): Promise<Modelled[]> {
  return [
    modelled('contacts', await givenContact(ada)),
    modelled('contacts', await givenContact(ada)),
    modelled('organizations', await givenOrganization(ada, { name: 'Walked' })),
    modelled('tasks', await givenTask(ada)),
    modelled('tasks', await givenTask(ada)),
  ];
}

/** Links a task to some of what is there; it stays linked to what is not. */
async function link(dice: Dice, task: Modelled, others: Modelled[]): Promise<void> {
  const there = others.filter((each) => each.there);
  const chosen = there.filter(() => dice.chance(60));
  const idsOf = (type: RestorableType) => chosen.filter((each) => each.type === type).map(({ id }) => id);
  const links = { contact_ids: idsOf('contacts'), organization_ids: idsOf('organizations') };
  await ada.api.updateTask({ params: { id: task.id }, body: { task: links } });
  for (const { id } of there) task.links.delete(id);
  for (const { id } of chosen) task.links.add(id);
}

async function step(dice: Dice, all: Modelled[]): Promise<void> {
  const one = dice.pick(all);
  if (dice.chance(30)) await runRemovals(workspace);
  if (!one.there) {
    await restore(ada, one.type, one.id);
    one.there = true;
  } else if (dice.chance(45)) {
    await remove[one.type](ada, one.id);
    one.there = false;
  } else if (one.type === 'tasks')
    await link(
      dice,
      one,
      all.filter(({ type }) => type !== 'tasks'),
    );
  else if (one.type === 'contacts' && dice.chance(50)) {
    one.tags.add(await tag(ada, one.id, dice.pick(['Red', 'Green'])));
  } else if (one.type === 'contacts') {
    await comment(ada, one.id);
    one.comments++;
  }
}

async function expectModel(all: Modelled[]): Promise<void> {
  const there = new Set(all.filter((each) => each.there).map(({ id }) => id));
  for (const one of all) {
    expect((await deletedIds(ada, one.type, { limit: 100 })).includes(one.id)).toBe(!one.there);
    if (!one.there) {
      expect(await codeOf(retrieve[one.type](ada, one.id) as never)).toBe('404 record_not_found');
      continue;
    }
    const body = (await retrieve[one.type](ada, one.id)) as Record<string, Record<string, unknown>>;
    const [record] = Object.values(body);
    if (one.type === 'tasks') {
      const shown = [...(record!.contact_ids as string[]), ...(record!.organization_ids as string[])];
      expect(shown.sort()).toEqual([...one.links].filter((id) => there.has(id)).sort());
    }
    if (one.type !== 'contacts') continue;
    expect((record!.tags as { id: string }[]).map(({ id }) => id).sort()).toEqual([...one.tags].sort());
    expect(await comments(ada, one.id)).toHaveLength(one.comments);
  }
}

let minutes = 0;

const walks = Array.from({ length: rounds(1, 6) }, (_, i) => i + 1);

it.each(walks)('as the model says, walk %i', { timeout: 300_000 }, async (seed) => {
  const dice = new Dice(seed);
  const all = await world();
  for (let i = 0; i < 120; i++) {
    // No key is used more often in a minute than it may be.
    if (i % 10 === 0) workspace.setTime(new Date(Date.now() + ++minutes * 60_000));
    await step(dice, all);
    if (i % 10 !== 9) continue;
    await runRemovals(workspace);
    await runListJobs(workspace);
    await expectModel(all);
    await expectConsistent(workspace.table, workspace.account_id);
  }
  for (const { type, id } of all)
    await expectListed(workspace.table, listsOfRecords.indexes[type] as never, id);
});
