import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DailyBriefing } from '#shared/domain/assistant/daily-briefings/briefing.ts';
import type { DueWork } from '#shared/domain/collaboration/due/due.ts';
import { DUE_SHARDS, keys } from '#shared/table/keys.ts';
import { handler } from '../../functions/queues/do-due-work.ts';
import { openQuestions } from '../support/assistant.ts';
import { askForBriefing, givenBriefing, listOf, writeBriefings } from '../support/briefings.ts';
import { crashAfter, failNth, meanwhile } from '../support/faults.ts';
import { longIt, STRIDE } from '../support/long.ts';
import { givenTeam } from '../support/pipelines.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Briefings that nobody asks for, with a clock that the tests move. */
describe('schedule do-due-work: daily briefings', () => {
  let workspace: Workspace;
  let owner: TestUser;
  let user: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    workspace.ctx.config.assistant.questions_per_minute = 10_000;
  });
  afterAll(() => workspace.stop());

  /** Noon of a day of its own for each test: no test finds what another one left. */
  let noon: number;
  let tests = 0;
  const at = (moment: number) => workspace.setTime(new Date(moment));
  beforeEach(async () => {
    noon = Date.parse('2032-02-01T12:00:00Z') + 40 * DAY * tests++;
    at(noon);
    ({ owner, member: user } = await givenTeam(workspace));
  });
  afterEach(async () => {
    at(noon + 30 * DAY);
    await handler();
    expect(await waiting()).toEqual([]);
    await writeBriefings(workspace);
    workspace.setTime(undefined);
  });

  const run = async (moment: number) => {
    at(moment);
    await handler();
    await writeBriefings(workspace);
  };
  const waiting = async () => {
    const shards = Array.from({ length: DUE_SHARDS }, (_, shard) => keys.dueShard(shard).PK);
    const all = await Promise.all(shards.map((shard) => workspace.table.all<DueWork>(shard)));
    return all
      .flat()
      .filter(({ work }) => work === 'brief')
      .map((each) => each.at)
      .sort();
  };
  const inZone = (time_zone: string) =>
    user.api.updateUser({ params: { id: user.user.id }, body: { user: { time_zone } } });
  /** The clock strikes at each moment that somebody waits for; the user is here now and then. */
  const runUntil = async (end: number) => {
    for (let next = Math.min(...(await waiting())); next <= end; next = Math.min(...(await waiting()))) {
      await run(next);
      await user.reader.retrieveCurrentUser();
    }
  };
  const dates = async () => (await listOf(user)).map(({ date }) => date).reverse();
  const day = (days: number) => new Date(noon + days * DAY).toISOString().slice(0, 10);

  longIt('one each morning at six, after the user asked for one', async () => {
    await givenBriefing(workspace, user);
    expect(await waiting()).toEqual([noon + 18 * HOUR]);
    await run(noon + 18 * HOUR - 1);
    expect(await dates()).toEqual([day(0)]);
    at(noon + 18 * HOUR);
    await Promise.all([handler(), handler()]);
    await run(noon + 18 * HOUR);
    expect(await listOf(user)).toMatchObject([
      {
        ...{ date: day(1), status: 'complete' },
        generated_at: new Date(noon + 18 * HOUR).toISOString(),
      },
      { date: day(0) },
    ]);
    expect(await waiting()).toEqual([noon + 42 * HOUR]);
    expect(await listOf(owner)).toEqual([]);
  });

  it('none for a user who asked for none', async () => {
    await user.reader.retrieveCurrentUser();
    expect(await waiting()).toEqual([]);
    await run(noon + 18 * HOUR);
    expect(await dates()).toEqual([]);
  });

  longIt('until the user has not been here for seven days; asking begins it again', async () => {
    await givenBriefing(workspace, user);
    for (let days = 0; days < 10; days++) await run(noon + 18 * HOUR + days * DAY);
    expect(await waiting()).toEqual([]);
    // Looking at the list is being here.
    expect(await dates()).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map(day));
    await run(noon + 18 * HOUR + 10 * DAY);
    expect(await dates()).toHaveLength(8);
    await givenBriefing(workspace, user);
    await runUntil(noon + 13 * DAY);
    expect(await dates()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 11, 12, 13].map(day));
  });

  longIt('leaves one alone that the user asked for before the morning', async () => {
    await givenBriefing(workspace, user);
    at(noon + 17 * HOUR);
    const early = await givenBriefing(workspace, user);
    await run(noon + 18 * HOUR);
    expect((await listOf(user))[0]).toEqual(early);
    expect(await waiting()).toEqual([noon + 42 * HOUR]);
  });

  longIt('tries again in the morning what failed before', async () => {
    at(noon + 17 * HOUR);
    await givenBriefing(workspace, user);
    await workspace.table.update<DailyBriefing>(keys.dailyBriefing(user.user.id, day(1)), {
      set: { reply: { status: 'failed', text: 'The assistant is busy.', blocks: [], refs: [] } },
    });
    await run(noon + 18 * HOUR);
    expect((await listOf(user, { date: day(1) }))[0]).toMatchObject({ status: 'complete' });
  });

  longIt('at six where the user is: one for each date, whatever the journey', async () => {
    await inZone('Asia/Tokyo');
    await givenBriefing(workspace, user);
    const date = day(0);
    expect(await waiting()).toEqual([Date.parse(`${date}T21:00:00Z`)]);
    await inZone('America/Los_Angeles');
    // It is 13:00 of the first day there, and the morning of Tokyo finds no briefing for that date.
    await runUntil(Date.parse(`${date}T21:00:00Z`));
    expect(await dates()).toEqual([date]);
    await runUntil(noon + 2 * DAY + 6 * HOUR);
    expect(await dates()).toEqual([0, 1, 2].map(day));
    await inZone('Pacific/Kiritimati');
    await runUntil(noon + 4 * DAY + 6 * HOUR);
    const all = await dates();
    expect(new Set(all).size).toBe(all.length);
    expect(all.at(-1)).toBe(day(5));
    expect(await waiting()).toHaveLength(1);
  });

  it.each([
    ['a user who is deactivated', 'user'],
    ['a closed account', 'account'],
  ])('none for %s', async (_, what) => {
    await givenBriefing(workspace, user);
    if (what === 'user')
      await owner.session.updateUser({
        params: { id: user.user.id },
        body: { user: { status: 'deactivated' } as never },
      });
    else await owner.session.closeAccount({ params: { id: owner.user.account_id } });
    await run(noon + 18 * HOUR);
    expect(await waiting()).toEqual([]);
    const stored = await workspace.table.all(keys.dailyBriefing(user.user.id, '').PK, 'DAILYBRIEFING#');
    expect(stored).toHaveLength(1);
  });

  longIt('one, when the user asks at the same moment', async () => {
    await givenBriefing(workspace, user);
    at(noon + 18 * HOUR);
    const asked = meanwhile(workspace.table, 'TransactWriteItemsCommand', async () => {
      await askForBriefing(user);
    });
    await handler();
    asked.remove();
    expect(asked.hit).toBe(true);
    expect(await openQuestions(workspace)).toHaveLength(1);
    await run(noon + 18 * HOUR + 60_000);
    expect(await dates()).toEqual([0, 1].map(day));
    expect(await waiting()).toEqual([noon + 42 * HOUR]);
  });

  longIt('one, and the next one, when any call fails or the run is killed at it', async () => {
    await givenBriefing(workspace, user);
    let mornings = 0;
    for (const fail of [failNth, crashAfter])
      for (let nth = 1; ; nth += STRIDE) {
        const morning = noon + 18 * HOUR + mornings++ * DAY;
        at(morning);
        await user.reader.retrieveCurrentUser();
        const fault = fail(workspace.table, nth);
        await handler().catch(() => undefined);
        fault.remove();
        await run(morning + 60_000);
        expect(await openQuestions(workspace), `call ${nth}`).toEqual([]);
        const stored = await workspace.table.all(keys.dailyBriefing(user.user.id, '').PK, 'DAILYBRIEFING#');
        expect(stored, `call ${nth}`).toHaveLength(1 + mornings);
        expect(await waiting(), `call ${nth}`).toEqual([morning + DAY]);
        if (!fault.hit) break;
      }
    // What is left of a long run ends with the next test.
    noon += mornings * DAY;
    tests += Math.ceil(mornings / 40);
  });
});
