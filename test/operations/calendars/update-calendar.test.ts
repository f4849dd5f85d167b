import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { givenCalendar, shareMailbox } from '../../support/events.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('PATCH /calendars/{id}', () => {
  let workspace: Workspace;
  let calendar: { calendar_id: string; mailbox_id: string };
  beforeAll(async () => {
    workspace = await startWorkspace();
    calendar = await givenCalendar(workspace, workspace.grace);
  });
  afterAll(() => workspace.stop());

  const update = (user: TestUser, fields: object, id = calendar.calendar_id) =>
    user.api.updateCalendar({ params: { id }, body: { calendar: fields } as never });

  it('200: what is sent changes, null clears, and the rest stays', async () => {
    const { grace } = workspace;
    const first = (await update(grace, { name: ' Ferries ', color: '#2F6FED', auto_meeting_enabled: true }))
      .body.calendar;
    expect(first).toMatchObject({ name: 'Ferries', color: '#2F6FED', auto_meeting_enabled: true });
    const after = (await update(grace, { color: null, description: 'Boats' })).body.calendar;
    expect(after).toMatchObject({ name: 'Ferries', color: null, description: 'Boats' });
    expect((await grace.reader.listCalendars()).body.collection.records).toEqual([after]);
    expect((await update(grace, { name: 'Ferries' })).body.calendar).toEqual(after);
  });

  longIt('403 for all but the owner of the mailbox, admins too; 404 for who does not see it', async () => {
    const { ada, grace, linus, hank } = workspace;
    expect(await codeOf(update(ada, { name: 'x' }))).toBe('404 record_not_found');
    await shareMailbox(grace, calendar.mailbox_id, ada, 'edit');
    expect(await codeOf(update(ada, { name: 'x' }))).toBe('403 permission_denied');
    for (const user of [linus, hank])
      expect(await codeOf(update(user, { name: 'x' }))).toBe('404 record_not_found');
    expect(await codeOf(update(grace, { name: 'x' }, randomUUID()))).toBe('404 record_not_found');
  });

  it('502 operation_failed: when the table fails, nothing is changed', async () => {
    const { grace } = workspace;
    const before = (await grace.reader.listCalendars()).body.collection.records;
    const { update: write } = workspace.table;
    const failing = vi.spyOn(workspace.table, 'update').mockImplementation(function (
      this: typeof workspace.table,
      ...given: Parameters<typeof write>
    ) {
      if (given[0].SK.startsWith('CALENDAR#')) throw new Error('the network is down');
      return write.apply(this, given) as never;
    });
    expect(await codeOf(update(grace, { name: 'Lost' }))).toBe('502 operation_failed');
    failing.mockRestore();
    expect((await grace.reader.listCalendars()).body.collection.records).toEqual(before);
  });

  it('400: what does not fit', async () => {
    const sent = { name: ' ', color: 'red', read_only: true };
    expect(await problemsOf(update(workspace.grace, sent))).toEqual({
      ...{ name: 'required', color: 'invalid_format', read_only: 'not_allowed' },
    });
  });
});
