import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { givenDeal } from '../../support/deals.ts';
import { givenCalendar, givenEvent, shareMailbox } from '../../support/events.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { uploadFile } from '../../support/files.ts';
import { longIt } from '../../support/long.ts';
import { eml, givenMailbox, importMail } from '../../support/mail.ts';
import { firstPipelineOf, givenTeam } from '../../support/pipelines.ts';
import { runRemovals } from '../../support/removed-records.ts';
import { countRequestTrips } from '../../support/round-trips.ts';
import { ask, event, tell, thread } from '../../support/share-requests.ts';
import { replaceForGood } from '../../support/tags.ts';
import { pageOf, typesIn, walk } from '../../support/timeline.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

const NOT_FOUND = '404 record_not_found';
const MISSING = '0198c0de-0000-7000-8000-00000000dead';

describe('GET /timeline', () => {
  let workspace: Workspace;
  let owner: TestUser;
  let member: TestUser;
  let at = Date.parse('2027-01-04T09:00:00.000Z');

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  beforeEach(async () => {
    workspace.setTime(new Date(at));
    ({ owner, member } = await givenTeam(workspace));
  });
  afterAll(() => workspace?.stop());

  /** A minute later, for an order that does not hang on ties. */
  const later = () => {
    at += 60_000;
    workspace.setTime(new Date(at));
  };

  const contactOf = async (user: TestUser, fields: object = {}) =>
    (await user.api.createContact({ body: { contact: { name: 'Cust Omer', ...fields } } })).body.contact;

  const withAddress = (user: TestUser, email_address: string, fields: object = {}) =>
    contactOf(user, { email_addresses: [{ email_address }], ...fields });

  const mailTo = async (user: TestUser, drafts: Parameters<typeof eml>[0][]) => {
    const mailbox = await givenMailbox(workspace, user, user.user.account_id);
    await importMail(workspace, user, mailbox, drafts.map(eml));
    return mailbox;
  };

  it('200: nothing happened', async () => {
    const { body } = await member.reader.showTimeline();
    expect(body).toEqual({ timeline: { entries: [], oldest_timestamp: null, has_more: false } });
  });

  longIt('has every type of entry, newest first, each with who, what and more about it', async () => {
    const { id: user_id, email_address: to } = owner.user;
    const email = 'customer@harbour.example';
    const contact = await withAddress(owner, email);
    const by = { user_id, agent: null, count: 1 };
    const about = { ...by, ref: { type: 'contact', id: contact.id, label: 'Cust Omer' } };
    const steps: [string, () => Promise<object>][] = [];
    const step = (type: string, does: () => Promise<object>) => steps.push([type, does]);
    step('record_updated', async () => {
      await owner.api.updateContact({ params: { id: contact.id }, body: { contact: { headline: 'Clerk' } } });
      return { ...about, detail: { fields: ['headline'] } };
    });
    const onContact = { record_type: 'contacts' as const, record_id: contact.id };
    step('comment', async () => {
      const body = { comment: { html_content: '<p>Call them</p>' } };
      const { comment } = (await owner.api.createComment({ params: onContact, body })).body;
      return { ...about, detail: { comment_id: comment.id } };
    });
    const { tag } = (await owner.api.createTag({ body: { tag: { name: 'Renewal' } } })).body;
    const told = { tag: { id: tag.id, name: 'Renewal', color: null } };
    step('tag_applied', async () => {
      await owner.api.applyTag({ params: onContact, body: { tag_id: tag.id } });
      return { ...about, detail: told };
    });
    step('tag_removed', async () => {
      await owner.api.removeTag({ params: { ...onContact, tag_id: tag.id } });
      return { ...about, detail: told };
    });
    let task_id = '';
    step('task_created', async () => {
      const task = { name: 'Ring', contact_ids: [contact.id] };
      task_id = (await owner.api.createTask({ body: { task } })).body.task.id;
      return { ...by, ref: { type: 'task', id: task_id, label: 'Ring' }, detail: {} };
    });
    step('task_completed', async () => {
      await owner.api.completeTask({ params: { task_id } });
      return { ...by, ref: { type: 'task', id: task_id, label: 'Ring' }, detail: {} };
    });
    const { stages } = await firstPipelineOf(owner);
    const staged = (kind: string) => stages.find((stage) => stage.kind === kind);
    const [first, second] = stages;
    let deal_id = '';
    const ofDeal = () => ({ ...by, ref: { type: 'deal', id: deal_id, label: 'Fleet renewal' } });
    const summary = (stage: (typeof stages)[0] | undefined) => ({
      ...{ id: stage?.id, name: stage?.name, kind: stage?.kind, position: stages.indexOf(stage as never) },
    });
    const moveTo = async (from: (typeof stages)[0] | undefined, to: (typeof stages)[0] | undefined) => {
      await owner.api.updateDeal({ params: { id: deal_id }, body: { deal: { stage_id: to?.id as string } } });
      return { ...ofDeal(), detail: { from_stage: summary(from), to_stage: summary(to) } };
    };
    step('deal_created', async () => {
      deal_id = (await givenDeal(owner, { contact_ids: [contact.id] })).id;
      return { ...ofDeal(), detail: {} };
    });
    step('deal_stage_moved', () => moveTo(first, second));
    step('deal_won', () => moveTo(second, staged('won')));
    step('deal_lost', () => moveTo(staged('won'), staged('lost')));
    step('file_added', async () => {
      const { id, name } = await uploadFile(owner, { contact_ids: [contact.id] });
      return { ...by, ref: { type: 'file', id, label: name }, detail: {} };
    });
    step('record_merged', async () => {
      const twin = await contactOf(owner);
      later();
      const params = { contact_id: contact.id };
      await owner.api.mergeContacts({ params, body: { contact_id_to_merge: twin.id } });
      return { ...about, detail: { merged_id: twin.id } };
    });
    const date = (moment: number) => new Date(moment).toUTCString().replace('GMT', '+0000');
    step('thread', async () => {
      const [began, went] = [eml({ id: `a-${at}@x`, from: email, to, subject: 'Berth', date: date(at) }), at];
      later();
      const answer = {
        id: `b-${went}@x`,
        from: to,
        to: email,
        subject: 'Re: Berth',
        in_reply_to: `a-${went}@x`,
      };
      const mailbox = await givenMailbox(workspace, owner, owner.user.account_id);
      await importMail(workspace, owner, mailbox, [began, eml({ ...answer, date: date(at) })]);
      const [seen] = (await owner.reader.listThreads()).body.collection.records;
      const ref = { type: 'thread', id: seen?.id, label: 'Berth' };
      return { user_id: null, agent: null, count: 2, ref, detail: {} };
    });
    step('calendar_event', async () => {
      const { calendar_id } = await givenCalendar(workspace, owner);
      const [starts_at, ends_at] = [new Date(at).toISOString(), new Date(at + 3_600_000).toISOString()];
      const attendees = [{ email_address: email }];
      const { id } = await givenEvent(owner, calendar_id, { name: 'Tour', starts_at, ends_at, attendees });
      const ref = { type: 'calendar_event', id, label: 'Tour' };
      return { ...by, ref, detail: { starts_at, ends_at } };
    });
    const expected: object[] = [{ ...about, type: 'record_created', detail: {} }];
    for (const [type, does] of steps) {
      later();
      expected.unshift({ ...(await does()), type });
    }
    const shown = await walk(owner, { contact_id: contact.id }, 3);
    expect(new Set(shown.map(({ id }) => id)).size).toBe(shown.length);
    expect(shown.map(({ id: _, occurred_at: __, ...entry }) => entry)).toEqual(expected);
    const some = await walk(owner, { contact_id: contact.id, types: 'deal_won, comment' }, 1);
    expect(typesIn(some)).toEqual(['deal_won', 'comment']);
    const did = await walk(owner, { user_id });
    expect(typesIn(did).filter((type) => ['thread', 'calendar_event'].includes(type))).toEqual([]);
    expect(typesIn(await walk(owner))).toEqual(expect.arrayContaining(steps.map(([type]) => type)));
    const dealTypes = typesIn(await walk(owner, { deal_id }));
    expect(dealTypes).toEqual(['deal_lost', 'deal_won', 'deal_stage_moved', 'deal_created']);
  });

  longIt('has what belongs to an organization and a space', async () => {
    const { organization } = (
      await owner.api.createOrganization({ body: { organization: { name: 'Harbour' } } })
    ).body;
    const email = `clerk-${at}@harbour.example`;
    const contact = await withAddress(owner, email, {
      employments: [{ organization: { id: organization.id }, current: true }],
    });
    const { space } = (await owner.api.createSpace({ body: { space: { name: 'Quay', kind: 'records' } } }))
      .body;
    await owner.api.createSpaceMembership({
      params: { space_id: space.id },
      body: { contact_id: contact.id },
    });
    later();
    await owner.api.createTask({
      body: { task: { name: 'Both', organization_ids: [organization.id], space_id: space.id } },
    });
    const date = new Date(at - 30_000).toUTCString().replace('GMT', '+0000');
    await mailTo(owner, [
      { id: `o-${at}@x`, from: email, to: owner.user.email_address, subject: 'Berth', date },
    ]);
    expect(typesIn(await walk(owner, { organization_id: organization.id }))).toEqual([
      'task_created',
      'thread',
      'record_created',
    ]);
    expect(typesIn(await walk(owner, { space_id: space.id }))).toEqual([
      'task_created',
      'thread',
      'record_created',
    ]);
    const series = {
      recurrence: ['FREQ=DAILY;COUNT=3'],
      time_zone: 'UTC',
      attendees: [{ email_address: email }],
    };
    const { calendar_id } = await givenCalendar(workspace, owner);
    const starts = at - 86_400_000 - 5_000;
    await givenEvent(owner, calendar_id, {
      ...series,
      starts_at: new Date(Math.floor(starts / 60_000) * 60_000).toISOString(),
      ends_at: new Date(Math.floor(starts / 60_000) * 60_000 + 600_000).toISOString(),
    });
    // Two of three have begun.
    const met = await walk(owner, { organization_id: organization.id, types: 'calendar_event' }, 1);
    expect(met).toHaveLength(2);
    expect(await walk(owner, { space_id: space.id, types: 'calendar_event' }, 1)).toEqual(met);
  });

  longIt('pages over equal moments without skipping or repeating any', async () => {
    const contact = await contactOf(owner);
    const names = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven'];
    for (const name of names)
      await owner.api.createTask({ body: { task: { name, contact_ids: [contact.id] } } });
    const whole = await walk(owner, { contact_id: contact.id });
    expect(whole.map(({ ref }) => ref.label).toSorted()).toEqual([...names, 'Cust Omer'].toSorted());
    expect(new Set(whole.map(({ occurred_at }) => occurred_at.slice(0, 23))).size).toBe(1);
    for (const limit of [1, 2, 3, 5, 7, 8])
      expect(await walk(owner, { contact_id: contact.id }, limit)).toEqual(whole);
    const { occurred_at } = whole[3] as (typeof whole)[0];
    // Other ways to write the same moment.
    const zoned = `${new Date(at + 7_200_000).toISOString().slice(0, 23)}${occurred_at.slice(23, 29)}+02:00`;
    for (const before of [occurred_at, zoned])
      expect((await pageOf(owner, { contact_id: contact.id, before })).entries).toEqual(whole.slice(4));
    const first = { contact_id: contact.id, before: '0001-01-01T00:00:00Z' };
    expect(await pageOf(owner, first)).toEqual({ entries: [], oldest_timestamp: null, has_more: false });
    expect(await walk(owner, { contact_id: contact.id, types: 'thread' })).toEqual([]);
    const future = { contact_id: contact.id, before: '9999-12-31T23:59:59.999999999Z' };
    expect((await pageOf(owner, future)).entries).toEqual(whole);
  });

  longIt('shows nothing of what the caller does not see, and pages are full all the same', async () => {
    const contact = await contactOf(owner);
    const hidden = { visibility: 'private' as const };
    for (let i = 0; i < 6; i++) {
      later();
      await owner.api.createTask({
        body: { task: { name: `Secret ${i}`, contact_ids: [contact.id], ...hidden } },
      });
      await owner.api.createTask({ body: { task: { name: `Open ${i}`, contact_ids: [contact.id] } } });
      await givenDeal(owner, { name: 'Secret deal', contact_ids: [contact.id], ...hidden });
    }
    for (const query of [{ contact_id: contact.id }, { user_id: owner.user.id }, {}] as Record<
      string,
      string
    >[]) {
      const page = await pageOf(member, { ...query, limit: 7 });
      expect(JSON.stringify(page)).not.toContain('Secret');
      expect(page.entries).toHaveLength(7);
      expect(page.has_more).toBe(false);
      expect(await walk(owner, query)).toHaveLength(19);
    }
    const secret = await contactOf(owner, hidden);
    const params = { record_type: 'contacts' as const, record_id: secret.id };
    await owner.api.createComment({ params, body: { comment: { html_content: 'Secret' } } });
    expect((await pageOf(member)).entries).toHaveLength(7);
    await owner.api.createShare({ params, body: { share: { user_id: member.user.id } } });
    expect((await pageOf(member)).entries).toHaveLength(9);
  });

  longIt('forgets deleted comments, tags and records, and knows them again', async () => {
    const contact = await contactOf(owner);
    const params = { record_type: 'contacts' as const, record_id: contact.id };
    const { comment } = (
      await owner.api.createComment({ params, body: { comment: { html_content: 'Gone' } } })
    ).body;
    const { tag } = (await owner.api.createTag({ body: { tag: { name: `Gone ${at}` } } })).body;
    await owner.api.applyTag({ params, body: { tag_id: tag.id } });
    const { task } = (
      await owner.api.createTask({ body: { task: { name: 'Gone', contact_ids: [contact.id] } } })
    ).body;
    const seen = async () => typesIn(await walk(owner, { contact_id: contact.id })).toSorted();
    expect(await seen()).toEqual(['comment', 'record_created', 'tag_applied', 'task_created']);
    await owner.api.deleteComment({ params: { id: comment.id } });
    await owner.api.deleteTag({ params: { id: tag.id } });
    await owner.api.deleteTask({ params: { id: task.id } });
    expect(await seen()).toEqual(['record_created']);
    await owner.api.restoreRecord({ params: { record_type: 'tasks', record_id: task.id } });
    expect(await seen()).toEqual(['record_created', 'task_created']);
    await owner.api.deleteContact({ params: { id: contact.id } });
    expect(await codeOf(owner.reader.showTimeline({ query: { contact_id: contact.id } }))).toBe(NOT_FOUND);
    expect(typesIn(await walk(owner))).toEqual(['task_created']);
    await owner.api.restoreRecord({ params });
    expect(await seen()).toEqual(['record_created', 'task_created']);
  });

  longIt('names a replaced tag as its replacement, for good', async () => {
    const contact = await contactOf(owner);
    const params = { record_type: 'contacts' as const, record_id: contact.id };
    const newTag = async (name: string) =>
      (await owner.api.createTag({ body: { tag: { name: `${name} ${at}` } } })).body.tag.id;
    const [old, kept] = [await newTag('Old'), await newTag('Kept')];
    later();
    await owner.api.applyTag({ params, body: { tag_id: old } });
    await replaceForGood(workspace, owner, old, kept);
    const [entry] = await walk(owner, { contact_id: contact.id });
    expect(entry).toMatchObject({ type: 'tag_applied', detail: { tag: { id: kept } } });
  });

  longIt('follows a merge, and its end', async () => {
    const [into, from] = [
      await contactOf(owner, { name: 'Stays' }),
      await contactOf(owner, { name: 'Goes' }),
    ];
    const both = [into.id, from.id];
    await owner.api.createTask({ body: { task: { name: 'For both', contact_ids: both } } });
    await owner.api.createTask({ body: { task: { name: 'For one', contact_ids: [from.id] } } });
    await givenCommentOn(from.id);
    const before = [await walk(owner, { contact_id: into.id }), await walk(owner, { contact_id: from.id })];
    later();
    const params = { contact_id: into.id };
    await owner.api.mergeContacts({ params, body: { contact_id_to_merge: from.id } });
    await runRemovals(workspace);
    const joined = await walk(owner, { contact_id: into.id }, 2);
    expect(joined.map(({ ref, type }) => `${type} ${ref.label}`).toSorted()).toEqual([
      'comment Stays',
      'record_created Stays',
      'record_created Stays',
      'record_merged Stays',
      'task_created For both',
      'task_created For one',
    ]);
    expect(await codeOf(owner.reader.showTimeline({ query: { contact_id: from.id } }))).toBe(NOT_FOUND);
    // The account tells the same.
    expect(await walk(owner, {}, 2)).toEqual(joined);
    await owner.api.unmergeContacts({
      params: { contact_id: into.id },
      body: { contact_id_to_unmerge: from.id },
    });
    await runRemovals(workspace);
    const after = [await walk(owner, { contact_id: into.id }), await walk(owner, { contact_id: from.id })];
    const without = after.map((entries) =>
      entries.filter(({ type }) => type !== 'record_merged' && type !== 'record_updated'),
    );
    expect(without).toEqual(before);
  });

  const givenCommentOn = (record_id: string) =>
    owner.api.createComment({
      params: { record_type: 'contacts', record_id },
      body: { comment: { html_content: 'Moves' } },
    });

  longIt('400: a wrong `before`, type or limit, and timelines of two records', async () => {
    const wrong: Record<string, string>[] = [
      ...[
        '',
        'yesterday',
        '2026-02-30',
        '2026-11-20T25:00:00Z',
        '2026-11-20T10:00:00',
        '1764000000000',
        'null',
      ].map((before) => ({ before })),
      { before: '2026-11-20T10:00:00.1234567890Z' },
      { types: 'thread,nothing' },
      { types: '' },
      { limit: '0' },
      { limit: '-1' },
      { limit: '1.5' },
      { contact_id: 'nobody' },
    ];
    for (const query of wrong) {
      const problems = await problemsOf(owner.reader.showTimeline({ query: query as never }));
      expect(Object.keys(problems)).toEqual(Object.keys(query));
    }
    const filters = ['contact_id', 'organization_id', 'deal_id', 'space_id', 'user_id'];
    for (const first of filters)
      for (const second of filters.slice(filters.indexOf(first) + 1)) {
        const query = { [first]: MISSING, [second]: MISSING };
        const problems = await problemsOf(owner.reader.showTimeline({ query }));
        expect(problems).toEqual({ [second]: 'not_allowed' });
      }
    expect((await pageOf(owner, { limit: 1_000 })).entries).toEqual([]);
  });

  longIt('404: alike for what is hidden, of another account, and missing', async () => {
    const hidden = { visibility: 'private' as const };
    const { organization } = (
      await owner.api.createOrganization({ body: { organization: { name: 'H', ...hidden } } })
    ).body;
    const { space } = (
      await owner.api.createSpace({ body: { space: { name: 'H', kind: 'records', ...hidden } } })
    ).body;
    const cases = {
      contact_id: (await contactOf(owner, hidden)).id,
      organization_id: organization.id,
      deal_id: (await givenDeal(owner, hidden)).id,
      space_id: space.id,
      user_id: workspace.hank.user.id,
    };
    for (const [name, id] of Object.entries(cases)) {
      const costs = [];
      for (const wanted of [id, MISSING]) {
        const { depth, calls } = await countRequestTrips(workspace, member, async () => {
          expect(await codeOf(member.reader.showTimeline({ query: { [name]: wanted } }))).toBe(NOT_FOUND);
        });
        costs.push({ depth, calls });
      }
      expect(costs[0]).toEqual(costs[1]);
      workspace.setTime(new Date(at));
    }
  });

  longIt(
    'tells of hidden threads and events where the mailbox shares its metadata, and of nothing else',
    async () => {
      const email = `client-${at}@harbour.example`;
      const contact = await withAddress(owner, email);
      const date = new Date(at - 3_600_000).toUTCString().replace('GMT', '+0000');
      const common = { from: email, to: owner.user.email_address, subject: 'Secret price', date };
      const mailbox = await mailTo(owner, [{ id: `h-${at}@x`, ...common }]);
      const { calendar_id, mailbox_id } = await givenCalendar(workspace, owner);
      const meeting = {
        name: 'Secret talk',
        starts_at: new Date(at - 7_200_000).toISOString(),
        ends_at: new Date(at - 3_600_000).toISOString(),
        attendees: [{ email_address: email }],
      };
      const { id: event_id } = await givenEvent(owner, calendar_id, meeting);
      await givenEvent(owner, calendar_id, { ...meeting, name: 'Secret affair', private: true });
      const query = { contact_id: contact.id };
      const seen = async () => (await walk(member, query, 1)).filter(({ type }) => type !== 'record_created');
      expect(await seen()).toEqual([]);
      await tell(owner, mailbox);
      await tell(owner, mailbox_id);
      const [own] = (await owner.reader.listThreads()).body.collection.records;
      const thread_id = own?.id as string;
      const told = (
        interaction_type: string,
        interaction_id: string,
        share_request_status: string | null,
      ) => ({
        ...{ id: interaction_id, type: 'hidden_interaction', occurred_at: expect.any(String) },
        ...{ user_id: null, agent: null, count: 1 },
        ref: { type: interaction_type, id: interaction_id, label: null },
        detail: { interaction_type, interaction_id, owner_user_ids: [owner.user.id], share_request_status },
      });
      expect(await seen()).toEqual([told('thread', thread_id, null), told('calendar_event', event_id, null)]);
      expect(JSON.stringify(await seen())).not.toContain('Secret');
      await ask(member, thread(thread_id));
      await ask(member, event(event_id));
      expect(await seen()).toEqual([
        told('thread', thread_id, 'pending'),
        told('calendar_event', event_id, 'pending'),
      ]);
      expect(await walk(member, { ...query, types: 'thread,calendar_event' })).toEqual([]);
      expect(typesIn(await walk(member)).includes('hidden_interaction')).toBe(false);
      expect(typesIn(await walk(owner, query))).not.toContain('hidden_interaction');
      // Who sees it sees it once, and as it is.
      await shareMailbox(owner, mailbox, member);
      expect(typesIn(await seen())).toEqual(['thread', 'hidden_interaction']);
      await tell(owner, mailbox_id, false);
      expect(typesIn(await seen())).toEqual(['thread']);
    },
  );

  longIt('tells nothing of mail that is also in a mailbox which does not tell', async () => {
    const email = `quiet-${at}@harbour.example`;
    const contact = await withAddress(owner, email);
    const { email_address: to } = owner.user;
    const date = (minutes: number) => new Date(at - minutes * 60_000).toUTCString().replace('GMT', '+0000');
    const open = await mailTo(owner, [
      { id: `q1-${at}@x`, from: 'other@harbour.example', to, subject: 'Both', date: date(90) },
    ]);
    await tell(owner, open);
    await mailTo(owner, [
      { id: `q1-${at}@x`, from: 'other@harbour.example', to, subject: 'Both', date: date(90) },
      { id: `q2-${at}@x`, from: email, to, subject: 'Re: Both', in_reply_to: `q1-${at}@x`, date: date(60) },
    ]);
    expect(typesIn(await walk(owner, { contact_id: contact.id }))).toEqual(['record_created', 'thread']);
    expect(typesIn(await walk(member, { contact_id: contact.id }))).toEqual(['record_created']);
  });

  longIt('reads lists of those colleagues alone who had mail with somebody of the organization', async () => {
    const organization = { name: 'Crowd', domains: ['crowd.example'] };
    const { id } = (await owner.api.createOrganization({ body: { organization } })).body.organization;
    const people = Array.from({ length: 25 }, (_, i) => `${i}-${at}@crowd.example`);
    for (const email of people) await withAddress(owner, email, { employments: [{ organization: { id } }] });
    const from = people[7] as string;
    const date = new Date(at - 60_000).toUTCString().replace('GMT', '+0000');
    const mailbox = await mailTo(owner, [
      { id: `c-${at}@x`, from, to: owner.user.email_address, subject: 'Secret', date },
    ]);
    await tell(owner, mailbox);
    const query = { organization_id: id, types: 'hidden_interaction' };
    const { calls } = await countRequestTrips(workspace, member, async () => {
      const { entries } = (await member.reader.showTimeline({ query })).body.timeline;
      expect(entries.map(({ ref }) => ref.type)).toEqual(['thread']);
    });
    const [thread] = (await owner.reader.listThreads()).body.collection.records;
    expect((await walk(member, query))[0]?.ref.id).toBe(thread?.id);
    // A list of events for each, and one of threads.
    expect(calls.length).toBeLessThan(2 * people.length);
  });

  longIt(
    'looks through all meetings of colleagues where there are more addresses than meetings',
    async () => {
      const addresses = Array.from({ length: 90 }, (_, i) => `${i}-${at}@many.example`);
      const [first, last] = [addresses[0], addresses[89]] as [string, string];
      const of = (some: string[]) =>
        contactOf(owner, { email_addresses: some.map((email_address) => ({ email_address })) });
      const many = await of(addresses);
      const calendars: string[] = [];
      for (let i = 0; i < 12; i++) {
        const calendar = await givenCalendar(workspace, owner);
        await tell(owner, calendar.mailbox_id);
        calendars.push(calendar.calendar_id);
      }
      const meet = async (calendar: number, email_address: string, hours: number) => {
        const times = {
          starts_at: new Date(at - hours * 3_600_000),
          ends_at: new Date(at - (hours - 1) * 3_600_000),
        };
        const fields = { attendees: [{ email_address }], ...times };
        return (await givenEvent(owner, calendars[calendar] as string, { name: 'Meeting', ...fields })).id;
      };
      const met = [await meet(3, last, 5), await meet(7, first, 9), await meet(3, first, 30 * 24)];
      await meet(7, 'other@elsewhere.example', 7);
      const query = { contact_id: many.id, types: 'hidden_interaction' };
      expect((await walk(member, query, 1)).map(({ ref }) => ref.id)).toEqual(met);
      const { calls } = await countRequestTrips(workspace, member, async () => {
        const { entries } = (await member.reader.showTimeline({ query })).body.timeline;
        expect(entries.map(({ ref }) => ref.id)).toEqual(met);
      });
      expect(calls.length).toBeLessThan(100);
    },
  );

  longIt('costs the same on the first page and on the last', async () => {
    const contact = await contactOf(owner);
    for (let i = 0; i < 40; i++) {
      later();
      await owner.api.createTask({ body: { task: { name: `T${i}`, contact_ids: [contact.id] } } });
    }
    const costs = [];
    for (let before: string | undefined, i = 0; i < 8; i++) {
      const query = { contact_id: contact.id, limit: 5, ...(before ? { before } : {}) };
      let page = { oldest_timestamp: null } as Awaited<ReturnType<typeof pageOf>>;
      const { depth, calls } = await countRequestTrips(workspace, owner, async () => {
        page = await pageOf(owner, query);
      });
      before = page.oldest_timestamp as string;
      costs.push({ depth, calls: calls.length });
    }
    expect(new Set(costs.map((cost) => JSON.stringify(cost))).size).toBe(1);
    expect(costs[0]?.depth).toBeLessThanOrEqual(6);
  });

  it('names the agent that did it', async () => {
    const contact = await contactOf(owner);
    const params = { record_type: 'contacts' as const, record_id: contact.id };
    const mention = { type: 'mention', attrs: { id: 'assistant', label: 'assistant' } };
    const text = { type: 'text', text: ' who is this?' };
    const json_content = JSON.stringify({
      type: 'doc',
      content: [{ type: 'paragraph', content: [mention, text] }],
    });
    const comment = { html_content: '<p>@assistant who is this?</p>', json_content };
    const { body } = await owner.api.createComment({ params, body: { comment } });
    const entries = await walk(owner, { contact_id: contact.id, types: 'comment' });
    const [newest, older] = entries;
    expect(newest).toMatchObject({
      agent: 'assistant',
      user_id: null,
      detail: { comment_id: body.reply?.id },
    });
    expect(older).toMatchObject({ agent: null, detail: { comment_id: body.comment.id } });
  });
});
