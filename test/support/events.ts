import { calendarIdOf } from '#shared/domain/calendar/calendars/store.ts';
import { givenMailbox } from './mail.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** A new mailbox of the user, with its calendar. */
export async function givenCalendar(workspace: Workspace, user: TestUser) {
  const mailbox_id = await givenMailbox(workspace, user, user.user.account_id);
  return { mailbox_id, calendar_id: calendarIdOf(mailbox_id) };
}

/** An event of an hour, with other fields. */
export function postEvent(user: TestUser, calendar_id: string, fields: object = {}) {
  const common = {
    calendar_id,
    name: 'Ferry timetable',
    starts_at: '2026-11-23T09:00:00Z',
    ends_at: '2026-11-23T10:00:00Z',
  };
  return user.api.createCalendarEvent({ body: { calendar_event: { ...common, ...fields } as never } });
}

export const givenEvent = async (...given: Parameters<typeof postEvent>) =>
  (await postEvent(...given)).body.calendar_event;

/** A mailbox share with another user. */
export async function shareMailbox(
  owner: TestUser,
  mailbox_id: string,
  user: TestUser,
  access: 'view' | 'edit' = 'view',
): Promise<void> {
  const params = { record_type: 'mailboxes' as const, record_id: mailbox_id };
  await owner.api.createShare({ params, body: { share: { user_id: user.user.id, access } } });
}

/** Ends all shares of a mailbox. */
export async function stopSharingMailbox(owner: TestUser, mailbox_id: string): Promise<void> {
  const params = { record_type: 'mailboxes' as const, record_id: mailbox_id };
  const { shares } = (await owner.reader.listShares({ params })).body;
  for (const { id } of shares) await owner.api.deleteShare({ params: { ...params, id } });
}

/** The user's subscription to a calendar, which it makes when there is none. */
export async function givenSubscription(user: TestUser, calendar_id: string, fields: object = {}) {
  const { body } = await user.api.createCalendarSubscription({
    params: { user_id: user.user.id },
    body: { calendar_subscription: { calendar_id, ...fields } },
  });
  return body.calendar_subscription;
}

/** All pages of a list, forwards from the first one. */
export async function allEvents(user: TestUser, query: Record<string, string | number> = {}) {
  const found = [];
  let next_cursor: string | undefined;
  do {
    const { collection } = (
      await user.reader.listCalendarEvents({
        query: { ...query, ...(next_cursor ? { next_cursor } : {}) } as never,
      })
    ).body;
    found.push(...collection.records);
    next_cursor = collection.page_info.next_cursor ?? undefined;
  } while (next_cursor);
  return found;
}
