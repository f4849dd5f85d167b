import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dashboardOf, expectEqualsLists } from '../../support/dashboard.ts';
import { givenDeal, givenDealIn } from '../../support/deals.ts';
import { Dice } from '../../support/dice.ts';
import { givenCalendar, givenEvent, shareMailbox } from '../../support/events.ts';
import { longIt, reduced } from '../../support/long.ts';
import { bestOfFive } from '../../support/meter.ts';
import { givenNotifications } from '../../support/notifications.ts';
import { firstPipelineOf, givenPipeline, givenTeam } from '../../support/pipelines.ts';
import { givenUpdate } from '../../support/proposals.ts';
import { runMoves } from '../../support/replaced-stages.ts';
import { countRequestTrips } from '../../support/round-trips.ts';
import { ask, givenHidden, thread } from '../../support/share-requests.ts';
import { givenThread } from '../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

const LONG_AGO = '2000-01-01T00:00:00.000Z';
const none = { total: 0, exact: true, capped: false, cap: 1_000 };

describe('GET /dashboard', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(() => workspace.stop());

  const nothing = { currency: null, open_count: 0, open_amount: 0, weighted_amount: 0, won_amount_30d: 0 };

  it('200: zeros for who has nothing', async () => {
    const { member } = await givenTeam(workspace);
    const { status, body } = await member.reader.showDashboard();
    expect(status).toBe(200);
    const pipeline = await firstPipelineOf(member);
    expect(body).toEqual({
      dashboard: {
        threads: { unread: none, flagged: none, unresolved: none, awaiting: none, snoozed: none },
        tasks: { overdue: none, today: none, upcoming: none },
        calendar_events: [],
        deals: [{ ...nothing, pipeline_id: pipeline.id, name: 'Sales' }],
        notifications: { new_count: 0, unread_count: 0 },
        proposals: { pending_count: 0 },
        share_requests: { pending_count: 0 },
        mailboxes: [],
        generated_at: expect.stringMatching(/Z$/),
      },
    });
  });

  /** The only pipeline of the user's account. */
  const sales = async (user: TestUser) => (await dashboardOf(user)).deals[0];

  longIt('adds what this user sees, in the currency of the pipeline', async () => {
    const { owner, member } = await givenTeam(workspace);
    const { id } = await firstPipelineOf(owner);
    await owner.api.updatePipeline({ params: { id }, body: { pipeline: { currency: 'EUR' } } });
    await givenDeal(owner, { amount: 0.1 });
    await givenDeal(owner, { amount: 0.2, probability: 50 });
    await givenDeal(owner, { amount: 1_000, currency: 'USD' });
    await givenDeal(owner, { amount: 1_000, currency: null });
    await givenDeal(owner);
    const common = { pipeline_id: id, name: 'Sales', currency: 'EUR', won_amount_30d: 0 };
    const seen = { ...common, open_count: 5, open_amount: 0.3, weighted_amount: 0.11 };
    expect(await sales(member)).toEqual(seen);
    expect(await sales(owner)).toEqual(seen);
  });

  longIt('counts a private deal for those who see it, while they do', async () => {
    const { owner, member } = await givenTeam(workspace);
    const secret = await givenDeal(owner, { amount: 500, visibility: 'private', currency: null });
    const both = async () => [(await sales(owner))?.open_amount, (await sales(member))?.open_amount];
    expect(await both()).toEqual([500, 0]);
    const params = { record_type: 'deals' as const, record_id: secret.id };
    const share = { user_id: member.user.id };
    const { share: shared } = (await owner.api.createShare({ params, body: { share } })).body;
    expect(await both()).toEqual([500, 500]);
    await owner.api.deleteShare({ params: { ...params, id: shared.id } });
    expect(await both()).toEqual([500, 0]);
    await owner.api.deleteDeal({ params: { id: secret.id } });
    expect(await both()).toEqual([0, 0]);
    await owner.api.restoreRecord({ params });
    expect(await both()).toEqual([500, 0]);
  });

  longIt('exact beyond the digits of a number', async () => {
    const { owner } = await givenTeam(workspace);
    const params = { id: owner.user.account_id };
    await owner.session.updateAccount({ params, body: { account: { default_currency: 'EUR' } } });
    const amounts = [1e15, 1e15, 0.0001, 12.34];
    const deals = [];
    for (const amount of amounts) deals.push(await givenDeal(owner, { amount }));
    expect((await sales(owner))?.currency).toBe('EUR');
    for (const deal of deals.slice(0, 2)) await owner.api.deleteDeal({ params: { id: deal.id } });
    expect(await sales(owner)).toMatchObject({ open_count: 2, open_amount: 12.3401 });
  });

  longIt('weighs by the probability of the stage as it is now, or the own one', async () => {
    const { owner } = await givenTeam(workspace);
    const pipeline = await givenPipeline(owner, 'Boats', {
      currency: 'EUR',
      stages: [{ name: 'Talk', probability: 40 }, { name: 'Wait' }, { name: 'Won', kind: 'won' }],
    });
    const deal = await givenDeal(owner, { pipeline_id: pipeline.id, amount: 100 });
    const boats = async () => (await dashboardOf(owner)).deals[1];
    expect(await boats()).toMatchObject({ open_amount: 100, weighted_amount: 40 });
    const params = { pipeline_id: pipeline.id, id: pipeline.stages[0]?.id as string };
    await owner.api.updateStage({ params, body: { stage: { probability: 33 } } });
    expect(await boats()).toMatchObject({ weighted_amount: 33 });
    const change = (fields: object) =>
      owner.api.updateDeal({ params: { id: deal.id }, body: { deal: fields } });
    await change({ probability: 70 });
    expect(await boats()).toMatchObject({ weighted_amount: 70 });
    await change({ probability: null, stage_id: pipeline.stages[1]?.id });
    expect(await boats()).toMatchObject({ open_amount: 100, weighted_amount: 0 });
    await change({ amount: 12.5 });
    expect(await boats()).toMatchObject({ open_amount: 12.5 });
    await change({ amount: null });
    expect(await boats()).toMatchObject({ open_count: 1, open_amount: 0 });
  });

  longIt('won: since the day 30 days ago began, for the user', async () => {
    const { owner, member } = await givenTeam(workspace);
    await member.api.updateUser({
      params: { id: member.user.id },
      body: { user: { time_zone: 'Asia/Kathmandu' } },
    });
    const pipeline = await givenPipeline(owner, 'Boats', { currency: 'EUR' });
    const [open, won] = [pipeline.stages[0]?.id, pipeline.stages[4]?.id];
    const wonAt = async (time: string, amount: number) => {
      workspace.setTime(new Date(time));
      const deal = await givenDeal(owner, { pipeline_id: pipeline.id, stage_id: open, amount });
      await owner.api.updateDeal({ params: { id: deal.id }, body: { deal: { stage_id: won } } });
    };
    const wonBy = async (user: TestUser) => (await dashboardOf(user)).deals[1]?.won_amount_30d;
    try {
      // Days begin at 18:15 UTC in Kathmandu.
      await wonAt('2031-05-01T18:14:59.999Z', 1);
      await wonAt('2031-05-01T18:15:00.000Z', 2);
      await wonAt('2031-05-02T00:00:00.000Z', 4);
      workspace.setTime(new Date('2031-05-31T20:00:00.000Z'));
      expect([await wonBy(member), await wonBy(owner)]).toEqual([6, 7]);
      workspace.setTime(new Date('2031-06-01T00:00:00.000Z'));
      expect([await wonBy(member), await wonBy(owner)]).toEqual([6, 4]);
      workspace.setTime(new Date('2031-06-01T18:15:00.000Z'));
      expect([await wonBy(member), await wonBy(owner)]).toEqual([0, 4]);
      workspace.setTime(new Date('2031-07-31T00:00:00.000Z'));
      expect(await wonBy(owner)).toBe(0);
    } finally {
      workspace.setTime(undefined);
    }
  });

  longIt.each([
    ['open', 1],
    ['won', 4],
    ['lost', 5],
  ])('deals of a deleted stage are those of its replacement before they are moved: %s', async (_, to) => {
    const { owner } = await givenTeam(workspace);
    const pipeline = await givenPipeline(owner, 'Boats', { currency: 'EUR' });
    for (const from of [0, 4]) {
      if (from === to) continue;
      await givenDeal(owner, {
        ...{
          pipeline_id: pipeline.id,
          stage_id: pipeline.stages[from]?.id as string,
          amount: 10,
          probability: 30,
        },
      });
      const params = { pipeline_id: pipeline.id, id: pipeline.stages[from]?.id as string };
      await owner.api.deleteStage({
        params,
        body: { replacement_stage_id: pipeline.stages[to]?.id as string },
      });
      await expectEqualsLists(owner, { since: LONG_AGO });
      await runMoves(workspace);
      await expectEqualsLists(owner, { since: LONG_AGO });
    }
  });

  longIt('the rest of today: ten events that are not over, in the user’s time zone', async () => {
    const { ada, linus } = workspace;
    const { mailbox_id, calendar_id } = await givenCalendar(workspace, ada);
    await shareMailbox(ada, mailbox_id, linus);
    const event = (name: string, starts_at: string, ends_at: string) =>
      givenEvent(ada, calendar_id, { name, starts_at, ends_at });
    await event('over', '2032-03-10T08:00:00Z', '2032-03-10T09:00:00Z');
    await event('running', '2032-03-10T08:00:00Z', '2032-03-10T09:01:00Z');
    // In Tokyo the next day begins at 15:00 UTC.
    await event('late', '2032-03-10T15:00:00Z', '2032-03-10T16:00:00Z');
    await event('tomorrow', '2032-03-11T00:00:00Z', '2032-03-11T01:00:00Z');
    const names = async (user: TestUser) => (await dashboardOf(user)).calendar_events.map(({ name }) => name);
    try {
      workspace.setTime(new Date('2032-03-10T09:00:00Z'));
      expect(await names(ada)).toEqual(['running', 'late']);
      expect(await names(linus)).toEqual(['running']);
      for (let i = 0; i < 10; i++) await event(`${i}`, '2032-03-10T10:00:00Z', '2032-03-10T11:00:00Z');
      const { calendar_events } = await expectEqualsLists(ada, { since: LONG_AGO });
      expect(calendar_events.map(({ name }) => name)).toHaveLength(10);
    } finally {
      workspace.setTime(undefined);
    }
  });

  longIt('notifications: new until they are opened, also undismissed ones', async () => {
    const user = workspace.grace;
    const user_id = user.user.id;
    const events = Array.from({ length: 5 }, () => 'comment_added' as const);
    await givenNotifications(workspace, user, events, new Date(Date.now() - 120_000));
    const counts = async () => (await dashboardOf(user)).notifications;
    expect(await counts()).toEqual({ new_count: 5, unread_count: 5 });
    const { records } = (await user.reader.listNotifications({ query: { limit: 5 } })).body.collection;
    const [first, second] = records.map(({ id }) => id) as [string, string];
    await user.api.markNotificationRead({ params: { id: first } });
    await user.api.dismissNotification({ params: { id: second } });
    await expectEqualsLists(user, { since: LONG_AGO });
    await user.api.dismissNotifications({ body: { global: true } });
    expect(await counts()).toEqual({ new_count: 0, unread_count: 0 });
    await user.api.undismissNotification({ params: { id: second } });
    await expectEqualsLists(user, { since: LONG_AGO });
    expect((await counts()).new_count).toBe(1);
    await user.session.createNotificationView({ params: { user_id } });
    expect(await counts()).toEqual({ new_count: 0, unread_count: 1 });
  });

  longIt('requests for access that wait for the user', async () => {
    const { ada, grace } = workspace;
    const { thread_id } = await givenHidden(workspace, ada, 'Winter timetable');
    const { share_request } = (await ask(grace, thread(thread_id))).body;
    expect((await dashboardOf(ada)).share_requests).toEqual({ pending_count: 1 });
    expect((await dashboardOf(grace)).share_requests).toEqual({ pending_count: 0 });
    const params = { share_request_id: share_request.id };
    await ada.api.denyShareRequest({ params });
    expect((await dashboardOf(ada)).share_requests).toEqual({ pending_count: 0 });
  });

  const STATES = ['Read', 'Flagged', 'Resolved', 'Snoozed'] as const;

  longIt(
    'every number is that of its list, for each user, after anything',
    { timeout: 300_000 },
    async () => {
      const { ada, grace, linus } = workspace;
      const users = [ada, grace, linus];
      const dice = new Dice(83);
      const { calendar_id } = await givenCalendar(workspace, ada);
      const boats = await givenPipeline(ada, 'Random boats', { currency: 'EUR' });
      const stages = [boats, await firstPipelineOf(ada)].flatMap(({ id, stages: all }) =>
        all.map((stage) => ({ pipeline_id: id, stage_id: stage.id })),
      );
      const hours = (from: number) => new Date(Date.now() + from * 3_600_000).toISOString();
      const deals: { id: string; user: TestUser }[] = [];
      const some = () => ({
        ...dice.pick(stages),
        amount: dice.pick([null, 0, 0.07, 12.3456, 99.99, 1_000_000]),
        currency: dice.pick(['EUR', 'USD', null]),
        probability: dice.pick([null, 0, 33, 100]),
      });
      const steps: ((user: TestUser) => Promise<unknown>)[] = [
        async (user) => {
          const { id } = await givenThread(workspace, { users: dice.some(users, 1) });
          const params = { thread_id: id };
          const state = dice.pick(STATES);
          if (state === 'Read') return user.api.markThreadRead({ params }).catch(() => undefined);
          if (state === 'Flagged') return user.api.flagThread({ params }).catch(() => undefined);
          if (state === 'Resolved') return user.api.resolveThread({ params }).catch(() => undefined);
          return user.api
            .snoozeThread({ params, body: { snooze_until: dice.pick(['soon', hours(-1)]) } })
            .catch(() => undefined);
        },
        (user) =>
          user.api.createTask({
            body: {
              task: {
                name: 'Something',
                due_at: dice.pick([null, hours(dice.int(-30, 30))]),
                all_day: dice.chance(40),
                visibility: dice.pick(['account', 'private']),
                assigned_user_id: dice.pick(users).user.id,
              },
            },
          }),
        async (user) => {
          const visibility = dice.pick(['account', 'private'] as const);
          deals.push({ id: (await givenDeal(user, { ...some(), visibility })).id, user });
        },
        async () => {
          if (deals.length === 0) return;
          const { id, user } = dice.pick(deals);
          await user.api.updateDeal({ params: { id }, body: { deal: some() } });
        },
        async () => {
          if (deals.length < 4) return;
          const [gone] = deals.splice(dice.int(0, deals.length - 1), 1);
          if (gone) await gone.user.api.deleteDeal({ params: { id: gone.id } });
        },
        async () => {
          if (deals.length === 0) return;
          const { id: record_id, user } = dice.pick(deals);
          const params = { record_type: 'deals' as const, record_id };
          const other = dice.pick(users.filter((each) => each !== user));
          await user.api.createShare({ params, body: { share: { user_id: other.user.id } } });
        },
        (user) => givenUpdate(workspace, user),
        () => {
          const starts = dice.int(-4, 8);
          return givenEvent(ada, calendar_id, {
            ...{ starts_at: hours(starts), ends_at: hours(starts + 1) },
            attendees: dice.some(users).map(({ user }) => ({ email_address: user.email_address })),
          });
        },
      ];
      for (let round = 0; round < reduced(16); round++) {
        for (let i = 0; i < 20; i++) await dice.pick(steps)(dice.pick(users));
        for (const user of users) await expectEqualsLists(user, { since: LONG_AGO });
      }
    },
  );

  it('costs 12 round trips at most', bestOfFive, async () => {
    const { owner } = await givenTeam(workspace);
    await givenDealIn(owner, await firstPipelineOf(owner));
    const { depth } = await countRequestTrips(workspace, owner, () => owner.reader.showDashboard());
    expect(depth).toBeLessThanOrEqual(12);
  });
});
