import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dice } from '../../../support/dice.ts';
import { rounds } from '../../../support/long.ts';
import { givenTeam } from '../../../support/pipelines.ts';
import { walk } from '../../../support/timeline.ts';
import { linesOf, TimelineWorld } from '../../../support/timeline-world.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Timelines have what a naive log of all changes has, of what the user sees, page by page. */

const SEED = Number(process.env.SEED ?? 80);
const STEPS = rounds(20, 320);

describe('a timeline', () => {
  let workspace: Workspace;
  let world: TimelineWorld;
  let users: TestUser[];
  const dice = new Dice(SEED);

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    const { owner, member } = await givenTeam(workspace);
    users = [owner, member];
    world = new TimelineWorld(workspace, dice, users);
    await world.start();
    for (let i = 0; i < STEPS; i++) await world.step();
  }, 600_000);
  afterAll(() => workspace?.stop());

  it('is what a naive log says, whatever the size of pages', async () => {
    for (const user of users) {
      const whole = linesOf(await walk(user));
      expect(whole, `seed ${SEED}`).toEqual(await world.ofAccount(user));
      const some: [Record<string, string>, string[]][] = [[{}, whole]];
      for (const actor of users) some.push([{ user_id: actor.user.id }, await world.ofUser(user, actor)]);
      for (const contact_id of dice.some(world.contactsOf()).slice(0, 4))
        if (await world.sees(user, { kind: 'contacts', id: contact_id }))
          some.push([{ contact_id }, await world.ofContact(user, contact_id)]);
      for (const deal_id of dice.some(world.dealsOf()).slice(0, 3))
        if (await world.sees(user, { kind: 'deals', id: deal_id }))
          some.push([{ deal_id }, await world.ofDeal(user, deal_id)]);
      for (const [query, expected] of some)
        expect(
          linesOf(await walk(user, query, dice.int(1, 7))),
          `seed ${SEED}, ${JSON.stringify(query)}`,
        ).toEqual(expected);
    }
  }, 600_000);
});
