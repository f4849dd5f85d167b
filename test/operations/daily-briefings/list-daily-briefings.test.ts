import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { briefingId } from '#shared/domain/assistant/daily-briefings/day.ts';
import { keys } from '#shared/table/keys.ts';
import { givenBriefing, listOf } from '../../support/briefings.ts';
import { problemsOf } from '../../support/failures.ts';
import { givenTeam } from '../../support/pipelines.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /daily_briefings', () => {
  let workspace: Workspace;
  let owner: TestUser;
  let member: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ({ owner, member } = await givenTeam(workspace));
  });
  afterAll(() => workspace.stop());

  it('200: the own ones, the newest first, the last 30', async () => {
    expect(await listOf(owner)).toEqual([]);
    const today = await givenBriefing(workspace, owner);
    const stored = await workspace.table.get(keys.dailyBriefing(owner.user.id, today.date));
    const earlier = Array.from({ length: 35 }, (_, i) =>
      new Date(Date.parse(today.date) - (i + 1) * 86_400_000).toISOString().slice(0, 10),
    );
    await workspace.table.writeMany(
      earlier.map((date) => {
        const id = briefingId(owner.user.id, date);
        return { put: { ...stored, ...keys.dailyBriefing(owner.user.id, date), id, date } };
      }),
    );
    expect((await listOf(owner)).map(({ date }) => date)).toEqual([today.date, ...earlier.slice(0, 29)]);
    expect((await listOf(owner))[0]).toEqual(today);
    expect(await listOf(member)).toEqual([]);
    expect(await listOf(workspace.hank)).toEqual([]);
    const [last = ''] = earlier.slice(-1);
    expect((await listOf(owner, { date: last })).map(({ date }) => date)).toEqual([last]);
    expect(await listOf(member, { date: last })).toEqual([]);
    expect(await listOf(owner, { date: '2000-01-01' })).toEqual([]);
  });

  it.each(['', 'today', '2026-02-30', '2026-1-1'])('400 for the date %j', async (date) => {
    expect(await problemsOf(owner.reader.listDailyBriefings({ query: { date } }))).toMatchObject({
      date: expect.any(String),
    });
  });
});
