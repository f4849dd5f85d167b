import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { briefingId } from '#shared/domain/assistant/daily-briefings/day.ts';
import {
  askForBriefing,
  briefingOf,
  givenBriefing,
  namesIn,
  rowsOf,
  writeBriefings,
} from '../../support/briefings.ts';
import { givenDeal } from '../../support/deals.ts';
import { codeOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { startModelServer } from '../../support/model-server.ts';
import { givenTeam } from '../../support/pipelines.ts';
import { countRequestTrips } from '../../support/round-trips.ts';
import { givenThread, hideThread } from '../../support/threads.ts';
import { givenTwoViews } from '../../support/two-views.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /daily_briefings/{id}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true, files: true });
    workspace.ctx.config.assistant.questions_per_minute = 10_000;
  });
  afterAll(() => workspace.stop());

  const task = async (user: TestUser, name: string) => {
    const due_at = new Date(workspace.ctx.now.getTime() - 60_000).toISOString();
    return (await user.api.createTask({ body: { task: { name, due_at } } })).body.task;
  };

  it('has the names of now: what is hidden or deleted since has no row and no name', async () => {
    const { owner } = await givenTeam(workspace);
    const [kept, deleted] = [await task(owner, 'Kept'), await task(owner, 'Deleted')];
    const thread = await givenThread(workspace, { users: [owner], subject: 'Secret merger' });
    const open = await givenThread(workspace, { users: [owner], subject: 'Ferry times' });
    const before = await givenBriefing(workspace, owner);
    expect(before.text).toContain('Secret merger');
    expect(before.text).toContain('Deleted');
    await hideThread(workspace, thread, owner);
    await owner.api.deleteTask({ params: { id: deleted.id } });
    await owner.api.updateTask({ params: { id: kept.id }, body: { task: { name: 'Renamed' } } });
    const after = await briefingOf(owner, before.id);
    expect(JSON.stringify(after)).not.toMatch(/Secret merger|Deleted|Kept/);
    expect(namesIn(after, 'Tasks due')).toEqual(['Renamed']);
    expect(namesIn(after, 'Threads awaiting a reply')).toEqual(['Ferry times']);
    expect(after.text).toContain('a hidden thread');
    expect(after.text).toContain('a hidden task');
    expect(after.text).toContain('Renamed');
    expect(after.blocks[0]).toEqual({ type: 'text', text: after.text });
    expect(after.refs.map(({ id, label }) => [id, label])).toEqual([
      [open.id, 'Ferry times'],
      [kept.id, 'Renamed'],
    ]);
    expect({ ...after, text: null, blocks: [], refs: [] }).toEqual({
      ...{ ...before, text: null, blocks: [], refs: [] },
    });
  });

  it('does not name what is hidden since, where a model wrote the name without a reference', async () => {
    const server = await startModelServer();
    const { assistant } = workspace.ctx.config;
    try {
      workspace.ctx.config.assistant = { ...server.config('openai'), questions_per_minute: 10_000 };
      const { owner } = await givenTeam(workspace);
      const thread = await givenThread(workspace, { users: [owner], subject: 'Secret merger' });
      const other = await givenThread(workspace, { users: [owner], subject: 'Secret merger, annex' });
      const text = `Secret merger waits: [Secret merger](thread:${thread.id}). So does Secret merger, annex.`;
      server.script.push({ text });
      const before = await givenBriefing(workspace, owner);
      expect(before.text).toBe('Secret merger waits: Secret merger. So does Secret merger, annex.');
      await hideThread(workspace, other, owner);
      expect((await briefingOf(owner, before.id)).text).toBe(
        'Secret merger waits: Secret merger. So does a hidden thread.',
      );
      await hideThread(workspace, thread, owner);
      const after = await briefingOf(owner, before.id);
      expect(after.text).toBe('a hidden thread waits: a hidden thread. So does a hidden thread.');
      expect(JSON.stringify(after)).not.toContain('Secret');
    } finally {
      workspace.ctx.config.assistant = assistant;
      await server.stop();
    }
  });

  longIt('names a thread as its user sees it, and not as another user does', async () => {
    const { ada, grace } = workspace;
    const { id } = await givenTwoViews(workspace, ada, grace);
    const shown = async (user: TestUser) => {
      const briefing = await givenBriefing(workspace, user);
      const row = rowsOf(briefing, 'Threads awaiting a reply').find(({ ref }) => ref?.id === id);
      return { briefing: JSON.stringify(briefing), name: row?.cells.name };
    };
    const [first, second] = [await shown(ada), await shown(grace)];
    expect([first.name, second.name]).toEqual(['Merger terms', 'Ferry times']);
    expect(first.briefing).not.toContain('Ferry times');
    expect(second.briefing).not.toContain('Merger terms');
  });

  longIt('404, alike and after the same round trips, for everything but an own one', async () => {
    const { owner, member } = await givenTeam(workspace);
    await givenDeal(owner);
    const { id, date } = (await askForBriefing(owner)).body.daily_briefing;
    await writeBriefings(workspace);
    await askForBriefing(member);
    await writeBriefings(workspace);
    const forged = [
      id,
      briefingId(member.user.id, '2020-01-01'),
      `${id.slice(0, 15)}${briefingId(member.user.id, date).slice(15, -1)}0`,
      randomUUID(),
      'ffffffff-ffff-7fff-bfff-ffffffffffff',
      '00000000-0000-0000-0000-000000000000',
      owner.user.id,
    ];
    const read = (each: string) => member.reader.retrieveDailyBriefing({ params: { id: each } });
    const trips = [];
    for (const each of forged) {
      expect(await codeOf(read(each)), each).toBe('404 record_not_found');
      trips.push(await countRequestTrips(workspace, member, () => codeOf(read(each))));
    }
    for (const each of trips) expect(each).toEqual(trips[0]);
    expect((await briefingOf(owner, id.toUpperCase())).id).toBe(id);
  });

  it('304 while nothing that it shows changes', async () => {
    const { owner } = await givenTeam(workspace);
    const { id } = await task(owner, 'Call');
    const briefing = await givenBriefing(workspace, owner);
    const params = { id: briefing.id };
    const { headers } = await owner.reader.retrieveDailyBriefing({ params });
    const again = () =>
      fetch(`${workspace.url}/daily_briefings/${briefing.id}`, {
        headers: {
          Authorization: `Bearer ${owner.read_key}`,
          'If-None-Match': headers.get('etag') as string,
        },
      });
    expect((await again()).status).toBe(304);
    await owner.api.updateTask({ params: { id }, body: { task: { name: 'Write' } } });
    expect((await again()).status).toBe(200);
  });
});
