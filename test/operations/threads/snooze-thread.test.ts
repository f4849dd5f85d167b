import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { asJson, bearer, fieldCodes, raw } from '../../support/raw.ts';
import { subjectsOf, type ThreadQuery } from '../../support/thread-lists.ts';
import { describeStateChange } from '../../support/thread-state.ts';
import { givenThread } from '../../support/threads.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

const FAR = '2200-01-01T00:00:00Z';

describeStateChange({
  title: 'POST /threads/{thread_id}/snooze',
  change: (api, thread_id) => api.snoozeThread({ params: { thread_id }, body: { snooze_until: FAR } }),
  undo: (api, thread_id) => api.unsnoozeThread({ params: { thread_id } }),
  field: 'snooze_until',
  before: null,
  after: FAR,
  response: { status: 200, body: { thread: { snooze_until: FAR } } },
});

describe('snooze_until', () => {
  let workspace: Workspace;
  let thread_id: string;
  beforeAll(async () => {
    workspace = await startWorkspace();
    thread_id = (await givenThread(workspace, { users: [workspace.ada], subject: 'Later' })).id;
  });
  afterAll(() => workspace.stop());

  const inZone = (time_zone: string) =>
    workspace.table.update<User>(keys.user(workspace.account_id, workspace.ada.user.id), {
      set: { time_zone },
    });
  const snooze = async (snooze_until: string) =>
    (await workspace.ada.api.snoozeThread({ params: { thread_id }, body: { snooze_until } })).body.thread
      .snooze_until;
  const shown = async () =>
    (await workspace.ada.reader.retrieveThread({ params: { id: thread_id } })).body.thread.snooze_until;

  it.each([
    [
      'soon',
      'three hours from now, on the hour',
      'Europe/London',
      '2026-11-20T09:45:30Z',
      '2026-11-20T12:00',
    ],
    ['soon', 'by the clock of the zone', 'Asia/Kolkata', '2026-11-20T09:45:00Z', '2026-11-20T12:30'],
    ['soon', 'three hours pass', 'Europe/London', '2026-10-25T00:30:00Z', '2026-10-25T03:00'],
    ['tonight', '19:00 today', 'America/New_York', '2026-11-20T13:00:00Z', '2026-11-21T00:00'],
    ['tonight', '19:00 until 17:00', 'Europe/London', '2026-11-20T16:59:59Z', '2026-11-20T19:00'],
    [
      'tonight',
      'halfway to midnight from 17:00 on',
      'Europe/London',
      '2026-11-20T17:00:00Z',
      '2026-11-20T20:30',
    ],
    ['tonight', 'rounded down to the minute', 'Europe/London', '2026-11-20T17:01:00Z', '2026-11-20T20:30'],
    ['tonight', 'late in the evening', 'Asia/Tokyo', '2026-11-20T14:30:00Z', '2026-11-20T14:45'],
    ['tonight', 'the last minute', 'Europe/London', '2026-11-20T23:59:40Z', '2026-11-20T23:59'],
    ['morning', '8:00 tomorrow', 'Asia/Tokyo', '2026-11-20T14:30:00Z', '2026-11-20T23:00'],
    ['morning', 'after midnight in the zone', 'Asia/Tokyo', '2026-11-20T15:30:00Z', '2026-11-21T23:00'],
    ['morning', 'clocks go forward', 'America/New_York', '2026-03-07T15:00:00Z', '2026-03-08T12:00'],
    ['morning', 'clocks go back', 'Europe/London', '2026-10-24T15:00:00Z', '2026-10-25T08:00'],
    ['weekend', '8:00 on the coming Saturday', 'Europe/London', '2026-11-20T09:00:00Z', '2026-11-21T08:00'],
    ['weekend', 'on a Saturday the next one', 'Europe/London', '2026-11-21T07:00:00Z', '2026-11-28T08:00'],
    ['weekend', 'on a Sunday the next one', 'Europe/London', '2026-11-22T09:00:00Z', '2026-11-28T08:00'],
    ['week', '8:00 next Monday', 'Europe/London', '2026-11-20T09:00:00Z', '2026-11-23T08:00'],
    ['week', 'on a Monday the next one', 'Europe/London', '2026-11-23T07:00:00Z', '2026-11-30T08:00'],
    ['week', 'Sunday is in the zone', 'America/New_York', '2026-11-23T04:30:00Z', '2026-11-23T13:00'],
    [
      'month',
      '8:00 on the same date next month',
      'Europe/London',
      '2026-11-20T09:00:00Z',
      '2026-12-20T08:00',
    ],
    ['month', 'over the end of the year', 'Asia/Tokyo', '2026-12-15T09:00:00Z', '2027-01-14T23:00'],
    ['month', 'or its last day', 'Europe/London', '2027-01-31T09:00:00Z', '2027-02-28T08:00'],
    ['month', 'over a change of clocks', 'Europe/London', '2026-10-20T09:00:00Z', '2026-11-20T08:00'],
  ])('%s: %s (%s, %s)', async (word, _, zone, now, expected) => {
    await inZone(zone);
    workspace.setTime(new Date(now));
    const until = await snooze(word);
    expect(until).toBe(`${expected}:00.000Z`);
    if (Date.parse(until) > Date.parse(now)) expect(await shown()).toBe(until);
  });

  it.each([
    '2026-12-24T18:00:00+01:00',
    '2026-12-24T18:00Z',
    '2026-12-24T18:00:00.123456789Z',
    '2026-12-24t18:00:00z',
    '2026-12-24T18:00:00-0930',
    '9999-12-31T23:59:59Z',
  ])('a timestamp is echoed as sent: %s', async (sent) => {
    workspace.setTime(new Date('2026-11-20T09:00:00Z'));
    expect(await snooze(sent)).toBe(sent);
    expect(await shown()).toBe(sent);
    expect(await subjectsOf(workspace.ada.reader, { slice: 'snoozed' })).toEqual(['Later']);
  });

  it('a date is midnight in the user’s zone', async () => {
    await inZone('Asia/Tokyo');
    expect(await snooze('2026-12-24')).toBe('2026-12-23T15:00:00.000Z');
  });

  it('replaces an earlier time', async () => {
    workspace.setTime(new Date('2026-11-20T09:00:00Z'));
    await snooze('2026-12-24T00:00:00Z');
    await snooze('2026-11-21T00:00:00Z');
    expect(await shown()).toBe('2026-11-21T00:00:00Z');
    workspace.setTime(new Date('2026-11-22T09:00:00Z'));
    expect(await subjectsOf(workspace.ada.reader, { slice: 'snoozed' })).toEqual([]);
  });

  longIt('the thread is snoozed until that time, and remains in other lists', async () => {
    workspace.setTime(new Date('2026-11-20T09:00:00Z'));
    await snooze('2026-11-20T10:00:00Z');
    const others: ThreadQuery[] = [{}, { slice: 'inbox' }, { slice: 'unresolved' }, { unread: true }];
    const snoozed = () => subjectsOf(workspace.ada.reader, { slice: 'snoozed' });
    for (const [now, expected] of [
      ['09:59:59.999', ['Later']],
      ['10:00:00.000', []],
    ] as const) {
      workspace.setTime(new Date(`2026-11-20T${now}Z`));
      expect(await snoozed()).toEqual(expected);
      expect(await shown()).toBe(expected.length > 0 ? '2026-11-20T10:00:00Z' : null);
      for (const query of others) expect(await subjectsOf(workspace.ada.reader, query)).toEqual(['Later']);
    }
    workspace.setTime(undefined);
    await snooze(FAR);
    const { inbox } = (await workspace.ada.reader.listOpenThreads()).body;
    expect(inbox.unread).toMatchObject([{ subject: 'Later', snooze_until: FAR }]);
  });

  it.each(['2020-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '1969-12-31'])(
    'a time that has passed is accepted and leaves the thread out of the snoozed slice: %s',
    async (sent) => {
      await snooze(sent);
      expect(await subjectsOf(workspace.ada.reader, { slice: 'snoozed' })).toEqual([]);
      expect(await subjectsOf(workspace.ada.reader)).toEqual(['Later']);
    },
  );

  it.each([
    [undefined, 'required'],
    [null, 'required'],
    ['', 'required'],
    [' \t', 'required'],
    [0, 'invalid'],
    [1_800_000_000_000, 'invalid'],
    [true, 'invalid'],
    [['soon'], 'invalid'],
    [{ until: 'soon' }, 'invalid'],
    ['tomorrow', 'invalid_format'],
    ['SOON', 'invalid_format'],
    [' soon', 'invalid_format'],
    ['soon\0', 'invalid_format'],
    ['toString', 'invalid_format'],
    ['__proto__', 'invalid_format'],
    ['2026-12-24T18:00:00', 'invalid_format'],
    ['2026-12-24 18:00:00Z', 'invalid_format'],
    ['2026-02-30T10:00:00Z', 'invalid_format'],
    ['2026-02-29', 'invalid_format'],
    ['2026-13-01T10:00:00Z', 'invalid_format'],
    ['2026-12-24T24:00:00Z', 'invalid_format'],
    ['2026-12-24T18:00:00+24:00', 'invalid_format'],
    ['+010000-01-01T00:00:00Z', 'invalid_format'],
    ['-000001-01-01T00:00:00Z', 'invalid_format'],
    ['1800000000000', 'invalid_format'],
    ['x'.repeat(10_000), 'invalid_format'],
    ['0000-01-01T00:00:00+01:00', 'invalid_format'],
    ['9999-12-31T23:59:59-01:00', 'invalid_format'],
  ])('400 for %j: %s', async (snooze_until, code) => {
    const call = workspace.ada.api.snoozeThread({
      params: { thread_id },
      body: { snooze_until } as { snooze_until: string },
    });
    expect(await problemsOf(call)).toEqual({ snooze_until: code });
  });

  it.each([
    [undefined, { snooze_until: 'required' }],
    ['{}', { snooze_until: 'required' }],
    ['[]', {}],
    ['"soon"', {}],
    ['{', {}],
    [`{"snooze_until": "soon", "thread_id": "${'0'.repeat(36)}"}`, { thread_id: 'not_allowed' }],
    ['{"thread_id": 1}', { thread_id: 'not_allowed', snooze_until: 'required' }],
  ])('400 for the body %j', async (body, fields) => {
    const response = await raw(workspace.url, {
      method: 'POST',
      path: `/threads/${thread_id}/snooze`,
      headers: [bearer(workspace.ada.write_key), asJson],
      ...(body === undefined ? {} : { body }),
    });
    expect([response.status, response.json.error?.code]).toEqual([400, 'invalid_request']);
    expect(fieldCodes(response)).toEqual(fields);
  });

  it('a malformed body is reported before 404', async () => {
    const hidden = (await givenThread(workspace, { users: [workspace.grace] })).id;
    const call = (snooze_until: string) =>
      workspace.ada.api.snoozeThread({ params: { thread_id: hidden }, body: { snooze_until } });
    expect(await codeOf(call('tomorrow'))).toBe('400 invalid_request');
    expect(await codeOf(call('soon'))).toBe('404 record_not_found');
  });
});
