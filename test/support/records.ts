import { briefingId } from '#shared/domain/assistant/daily-briefings/day.ts';
import { calendarIdOf } from '#shared/domain/calendar/calendars/store.ts';
import { newNotification, notify } from '#shared/domain/collaboration/notifications/notification.ts';
import { newRequestWrites } from '#shared/domain/collaboration/share-requests/writes.ts';
import { pairIdOf } from '#shared/domain/crm/duplicates/duplicate.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { ask } from './conversations.ts';
import { givenEvent, givenSubscription } from './events.ts';
import { givenFile } from './files.ts';
import { givenAttachment } from './mail-files.ts';
import { givenUpdate } from './proposals.ts';
import { givenSession } from './sessions.ts';
import { givenThread } from './threads.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** One record of every type with an id in a path, by the name of the type in paths. */
export type Records = Record<string, string>;

/** A share of the mailbox with a group. */
async function shareOf({ api }: TestUser, mailbox_id: string): Promise<string> {
  const group = (await api.createGroup({ body: { group: { name: `Share of ${mailbox_id}` } } })).body.group;
  const params = { record_type: 'mailboxes' as const, record_id: mailbox_id };
  const { body } = await api.createShare({ params, body: { share: { group_id: group.id } } });
  return body.share.id;
}

/** Of the briefing. */
const DAY = '2026-11-20';

async function storedDirectly(workspace: Workspace, user: TestUser, mailbox_id: string): Promise<Records> {
  const { table } = workspace;
  const { id: user_id, account_id } = user.user;
  const now = new Date();
  const [upload, mailImport] = [newId(now), newId(now)];
  const common = { account_id, user_id, file_name: 'archive.mbox', size: 1, created_at: now.toISOString() };
  await table.put({
    ...{ ...keys.upload(upload), id: upload, ...common, content_type: 'application/mbox' },
    ...{ file_id: null, expires_at: now.toISOString() },
  });
  await table.put({
    ...{ ...keys.mailImport(mailImport), id: mailImport, mailbox_id, upload_id: upload, ...common },
    ...{ status: 'pending', messages_total: null, error: null, started_at: null, finished_at: null },
    ...{ messages_imported: 0, messages_skipped: 0, messages_failed: 0 },
  });
  const counts = { rows_read: 0, rows_created: 0, rows_updated: 0, rows_unchanged: 0, rows_failed: 0 };
  const ended = { status: 'complete', error: null, started_at: null, finished_at: null };
  // Imports of mail and of records have the same name in paths, and here the same id.
  await table.put({
    ...{ ...keys.recordImport(user_id, mailImport), id: mailImport, upload_id: upload, ...common, ...ended },
    ...{ record_type: 'contacts', format: 'csv', encoding: 'utf-8', delimiter: ',', date_order: null },
    ...{
      pipeline_id: null,
      calendar_id: null,
      dry_run: true,
      columns: [],
      run: 1,
      begin: 0,
      position: { offset: 0, row: 0 },
    },
    ...{ ...counts, job_id: upload },
  });
  await table.put({
    ...{ ...keys.recordExport(user_id, upload), id: upload, ...common, ...ended, status: 'pending' },
    ...{ record_type: 'contacts', format: 'csv', filters: {}, records_written: 0, size: null },
    ...{ expires_at: null, parts: [], bytes: 0, job_id: upload },
  });
  const request = newId(now);
  const open = { message: null, status: 'pending' as const, share_id: null };
  const unanswered = { ...open, answered_by_user_id: null, answered_at: null, updated_at: null };
  await table.transact(
    newRequestWrites(
      {
        ...{ ...keys.shareRequest(request), id: request, account_id, user_id, approver_user_ids: [user_id] },
        ...{ record_type: 'thread', record_id: upload, ...unanswered, created_at: now.toISOString() },
      },
      undefined,
    ),
  );
  const briefing = briefingId(user_id, DAY);
  await table.put({
    ...{
      ...keys.dailyBriefing(user_id, DAY),
      id: briefing,
      account_id,
      user_id,
      date: DAY,
      time_zone: 'UTC',
    },
    ...{ reply_id: upload, reply: { status: 'complete', text: 'A quiet day.', blocks: [], refs: [] } },
    ...{ sections: [], read_at: now.toISOString(), created_at: now.toISOString(), updated_at: null },
  });
  const payload = { id: user_id, record_type: 'user', name: 'Somebody' };
  const notification = notify(
    newNotification({ user_id, event: 'comment_added', payload, prompting_user_id: null }, now),
  );
  await table.transact([notification]);
  return {
    uploads: upload,
    imports: mailImport,
    exports: upload,
    share_requests: request,
    daily_briefings: briefing,
    notifications: 'put' in notification ? String(notification.put.id) : '',
  };
}

export async function createRecords(workspace: Workspace, user: TestUser): Promise<Records> {
  const { api, session } = user;
  const contact = (await api.createContact({ body: { contact: { name: 'Somebody' } } })).body.contact;
  const organization = (await api.createOrganization({ body: { organization: { name: 'Somewhere' } } })).body
    .organization;
  const twin = (await api.createContact({ body: { contact: { name: 'Somebody' } } })).body.contact;
  const tag = (await api.createTag({ body: { tag: { name: `Tag of ${user.user.name}` } } })).body.tag;
  const onContact = { record_type: 'contacts' as const, record_id: contact.id };
  await api.applyTag({ params: onContact, body: { tag_id: tag.id } });
  const comment = await api.createComment({
    params: onContact,
    body: { comment: { html_content: 'Hello' } },
  });
  const params = { comment_id: comment.body.comment.id };
  const { reaction } = (await api.addReaction({ params, body: { reaction: { text: '👍' } } })).body;
  const key = await session.createApiKey({ body: { api_key: { name: 'Key', tier: 'read' } } });
  const device = await session.createDeviceToken({
    body: { device_token: { platform: 'android', token: `token-of-the-phone-${user.user.id}` } },
  });
  const group = await api.createGroup({ body: { group: { name: `Group of ${user.user.name}` } } });
  const [pipeline] = (await api.listPipelines()).body.pipelines;
  const thread = await givenThread(workspace, { users: [user] });
  const chat = await api.createConversation({ body: { conversation: {} } });
  const { message } = (await ask(user, chat.body.conversation.id)).body;
  const { proposal } = await givenUpdate(workspace, user);
  const space = await api.createSpace({ body: { space: { name: 'Something', kind: 'records' } } });
  const inSpace = { params: { space_id: space.body.space.id }, body: { contact_id: contact.id } };
  const { membership } = (await api.createSpaceMembership(inSpace)).body;
  const task = await api.createTask({ body: { task: { name: 'Something' } } });
  const deal = await api.createDeal({ body: { deal: { name: 'Something' } } });
  const calendar_id = calendarIdOf(thread.mailbox_id);
  const event = await givenEvent(user, calendar_id, {
    attendees: [{ email_address: user.user.email_address }],
  });
  const { role, name } = user.user;
  const defined = await (role === 'member' ? workspace.ada : user).api.createCustomField({
    body: {
      custom_field: { record_type: 'deals', key: `Field of ${name}`, name: 'Something', type: 'text' },
    },
  });
  const milestone = await api.createMilestone({ body: { milestone: { name: 'Someday' } } });
  const { draft } = (
    await api.createDraft({ body: { draft: { mailbox_id: thread.mailbox_id, subject: 'Something' } } })
  ).body;
  const attachment = await givenAttachment(workspace, thread, user.user.account_id);
  return {
    accounts: user.user.account_id,
    users: user.user.id,
    spaces: space.body.space.id,
    memberships: membership.id,
    tasks: task.body.task.id,
    deals: deal.body.deal.id,
    custom_fields: defined.body.custom_field.id,
    calendars: calendar_id,
    calendar_subscriptions: (await givenSubscription(user, calendar_id)).id,
    calendar_events: event.id,
    milestones: milestone.body.milestone.id,
    contacts: contact.id,
    duplicates: pairIdOf(contact.id, twin.id),
    organizations: organization.id,
    tags: tag.id,
    comments: comment.body.comment.id,
    reactions: reaction.id,
    api_keys: key.body.api_key.id,
    device_tokens: device.body.device_token.id,
    groups: group.body.group.id,
    pipelines: pipeline?.id ?? '',
    stages: pipeline?.stages[0]?.id ?? '',
    threads: thread.id,
    drafts: draft.id,
    attachments: attachment.id,
    files: (await givenFile(workspace, user)).id,
    conversations: chat.body.conversation.id,
    messages: message.id,
    proposals: proposal.id,
    mailboxes: thread.mailbox_id,
    shares: await shareOf(user, thread.mailbox_id),
    sessions: (await givenSession(workspace, user)).session.id,
    ...(await storedDirectly(workspace, user, thread.mailbox_id)),
  };
}
