import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenCalendar, shareMailbox } from '../../support/events.ts';
import { codeOf } from '../../support/failures.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /calendars', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('200: one for each mailbox that the user has access to, oldest first', async () => {
    const { ada, grace, linus, hank } = workspace;
    const own = await givenCalendar(workspace, ada);
    const other = await givenCalendar(workspace, grace);
    await givenCalendar(workspace, hank);
    await shareMailbox(grace, other.mailbox_id, ada);
    const { collection } = (await ada.reader.listCalendars()).body;
    expect(collection.records.map(({ id, mailbox_id }) => [id, mailbox_id])).toEqual([
      [own.calendar_id, own.mailbox_id],
      [other.calendar_id, other.mailbox_id],
    ]);
    expect(collection.records[1]).toMatchObject({
      ...{ user_id: grace.user.id, name: 'Grace Hopper', description: null, color: null },
      ...{ time_zone: 'America/New_York', primary: true, read_only: false, sync_enabled: false },
      ...{ auto_meeting_enabled: false, last_synced_at: null, updated_at: null },
    });
    const query = { mailbox_id: other.mailbox_id };
    expect((await ada.reader.listCalendars({ query })).body.collection.total_results).toBe(1);
    expect(await codeOf(linus.reader.listCalendars({ query }))).toBe('404 record_not_found');
    expect((await linus.reader.listCalendars()).body.collection.records).toEqual([]);
  });
});
