import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import type { Operation } from '#shared/api/catalogue.ts';
import { isContent } from '#shared/api/route.ts';
import { agentSlugs } from '#shared/domain/assistant/agents/agent.ts';
import type { Activity } from '#shared/domain/collaboration/activity/activity.ts';
import { unsubscribeToken } from '#shared/domain/collaboration/notifications/mails/token.ts';
import { newNotification, notify } from '#shared/domain/collaboration/notifications/notification.ts';
import { endedList, endedRank } from '#shared/domain/collaboration/record-lists/ended.ts';
import type { ShareRequest } from '#shared/domain/collaboration/share-requests/request.ts';
import { newRequestWrites } from '#shared/domain/collaboration/share-requests/writes.ts';
import { EMAIL_ADDRESSES } from '#shared/domain/crm/contacts/written.ts';
import { KEPT_MOVES } from '#shared/domain/crm/deals/stage-history.ts';
import type { PipelineRecord } from '#shared/domain/crm/pipelines/pipeline.ts';
import type { Space } from '#shared/domain/crm/spaces/space.ts';
import { audit } from '#shared/domain/identity/audit/audit.ts';
import { MAX_MEMBERS } from '#shared/domain/identity/groups/group.ts';
import { MAX_GROUPS } from '#shared/domain/identity/users/access.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { SHOWN_FAILURES } from '#shared/domain/mail/imports/import.ts';
import { importPosting } from '#shared/domain/mail/imports/list.ts';
import { recordFailures } from '#shared/domain/mail/imports/store.ts';
import type { Mailbox, MailState } from '#shared/domain/mail/mailboxes/mailbox.ts';
import type { MailFolder } from '#shared/domain/mail/sync/folder.ts';
import { MOST_FOLDERS } from '#shared/domain/mail/sync/plan.ts';
import { rowOf, storeReport } from '#shared/domain/mail/sync/report.ts';
import type { Milestone } from '#shared/domain/work/milestones/milestone.ts';
import { newId } from '#shared/ids.ts';
import { bucketOf, objectKeys } from '#shared/providers/files/bucket.ts';
import { keys } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import { operations } from '../../functions/catalogue.ts';
import { RESPONSE_BYTES } from '../../infra/local/limits.ts';
import { withAssets } from '../support/assets.ts';
import { dayIn, givenLargeBriefings } from '../support/briefings.ts';
import { answer, ask as askAssistant, givenConversation } from '../support/conversations.ts';
import { givenDealIn } from '../support/deals.ts';
import { givenCalendar, givenEvent } from '../support/events.ts';
import { givenFile } from '../support/files.ts';
import { ESCAPED, givenUsers, many, sharesWithMany, WIDE, write } from '../support/large-data.ts';
import { givenRejected, REASON } from '../support/large-lists.ts';
import { givenMailbox } from '../support/mail.ts';
import { givenAttachment } from '../support/mail-files.ts';
import { givenContact, givenProposal } from '../support/proposals.ts';
import { asJson, bearer, raw } from '../support/raw.ts';
import { givenThread } from '../support/threads.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/**
 * The largest responses of the operations that do not stream, read through the gateway, which refuses what Lambda
 * could not return in one response.
 */

let workspace: Workspace;
let removeAssets: () => Promise<void>;
beforeAll(async () => {
  workspace = await startWorkspace({ mail: true });
  removeAssets = await withAssets(workspace.ctx);
});
afterAll(async () => {
  await workspace?.stop();
  await removeAssets?.();
});

/** The response, which has at least so many bytes: otherwise something that was written is missing. */
async function ask(at_least: number, method: string, path: string, sent?: object) {
  const headers = [bearer(workspace.ada.session_token), ...(sent ? [asJson] : [])];
  const body = sent && JSON.stringify(sent);
  const { status, text, json } = await raw(workspace.url, {
    method,
    path,
    headers,
    ...(body ? { body } : {}),
  });
  expect([200, 201, 202], text.slice(0, 500)).toContain(status);
  const bytes = Buffer.byteLength(text);
  expect(bytes).toBeGreaterThanOrEqual(at_least);
  expect(bytes).toBeLessThan(RESPONSE_BYTES);
  return json as never;
}

/** Its item has 400 kB. */
async function givenLargeMailbox(): Promise<string> {
  const id = await givenMailbox(workspace, workspace.ada);
  await workspace.table.update<Mailbox>(keys.mailbox(workspace.account_id, id), {
    set: {
      shares: sharesWithMany({ type: 'mailboxes', id }),
      aliases: many(5_000, (i) => `${i}-${'a'.repeat(50)}@acme.example`),
    },
  });
  return id;
}

const largeGroup = async () => {
  const more = {
    name: WIDE.repeat(255),
    avatar_id: newId(new Date()),
    group_ids: new Set(['none']),
  };
  const user_ids = await givenUsers(workspace, workspace.ada, MAX_MEMBERS, more);
  return { name: WIDE.repeat(255), description: ESCAPED.repeat(20_000), user_ids };
};

/** Each under the operation that returns it. */
function largeImport(mailbox_id: string) {
  const id = newId(new Date());
  const created_at = new Date().toISOString();
  return {
    ...keys.mailImport(id),
    ...{ id, account_id: workspace.account_id, mailbox_id, user_id: workspace.ada.user.id },
    ...{ upload_id: id, job_id: id, file_name: WIDE.repeat(255), size: 1, status: 'complete' },
    ...{ messages_total: 9_999, messages_imported: 0, messages_skipped: 0, messages_failed: 9_999 },
    ...{ error: null, created_at, started_at: created_at, finished_at: created_at },
  };
}

/** All definitions of a record type have 100 KB at most. */
function largeField(record_type: string) {
  const options = many(65, (i) => ({ value: `${i} ${WIDE.repeat(90)}`, name: WIDE.repeat(255) }));
  const names = { key: WIDE.repeat(255), name: WIDE.repeat(255) };
  return { custom_field: { record_type, ...names, type: 'select', options } };
}

const cases: Record<string, () => Promise<void>> = {
  async listAgentConfigurations() {
    const agent_configuration = {
      instructions: ESCAPED.repeat(4_000),
      settings: { text: ESCAPED.repeat(2_700) },
    };
    for (const slug of agentSlugs)
      await ask(40_000, 'PATCH', `/agent_configurations/${slug}`, { agent_configuration });
    await ask(240_000, 'GET', '/agent_configurations');
  },

  /** Sanitizing writes a quotation mark as six bytes, JSON a control character; both apply to a link. */
  async createComment() {
    const document = { type: 'doc', content: [{ type: 'text', text: WIDE.repeat(199_900) }] };
    const json_content = JSON.stringify(document);
    for (const html_content of [
      `a${ESCAPED.repeat(199_999)}`,
      `a${'&'.repeat(199_999)}`,
      `${'<a href=a>'.repeat(19_999)}b`,
      '<a href=a>b</a>'.repeat(13_333),
      `${'<p lang=a>b'.repeat(18_181)}`,
    ]) {
      const { id } = await givenThread(workspace, { users: [workspace.ada] });
      await ask(1_100_000, 'POST', `/threads/${id}/comments`, { comment: { html_content, json_content } });
    }
  },

  async createContact() {
    const links = many(48, () => ({ url: `https://acme.example/${'a'.repeat(2_000)}` }));
    const sent = { contact: { name: 'Ada', links } };
    const { contact } = (await ask(100_000, 'POST', '/contacts', sent)) as { contact: { id: string } };
    await ask(100_000, 'PATCH', `/contacts/${contact.id}`, { contact: { nickname: 'A' } });
  },

  async createOrganization() {
    const links = many(48, () => ({ url: `https://acme.example/${'a'.repeat(2_000)}` }));
    const sent = { organization: { name: 'Acme', links } };
    const made = (await ask(100_000, 'POST', '/organizations', sent)) as { organization: { id: string } };
    const organization = { industry: 'Tea' };
    await ask(100_000, 'PATCH', `/organizations/${made.organization.id}`, { organization });
  },

  async createTask() {
    const sent = { task: { name: WIDE.repeat(255), description: ESCAPED.repeat(20_000) } };
    const { task } = (await ask(120_000, 'POST', '/tasks', sent)) as { task: { id: string } };
    await ask(120_000, 'GET', `/tasks/${task.id}`);
    await ask(120_000, 'PATCH', `/tasks/${task.id}`, { task: { priority: 'low' } });
  },

  /** A quotation mark has six bytes in HTML, and two in JSON. */
  async createDraft() {
    const mailbox_id = await givenMailbox(workspace, workspace.ada);
    const to_email_addresses = many(500, (i) => `${i}@${'a'.repeat(60)}.example`);
    const sent = { draft: { mailbox_id, to_email_addresses, body: '"'.repeat(200_000) } };
    const { draft } = (await ask(1_600_000, 'POST', '/drafts', sent)) as { draft: { id: string } };
    await ask(1_600_000, 'GET', `/drafts/${draft.id}`);
    await ask(1_600_000, 'PATCH', `/drafts/${draft.id}`, { draft: { subject: WIDE.repeat(400) } });
  },

  async updateFile() {
    const file = { name: WIDE.repeat(255), description: ESCAPED.repeat(20_000) };
    const { id } = await givenFile(workspace, workspace.ada);
    await ask(120_000, 'PATCH', `/files/${id}`, { file });
  },

  async createDeal() {
    const sent = { deal: { name: WIDE.repeat(255), description: ESCAPED.repeat(16_000) } };
    const { deal } = (await ask(90_000, 'POST', '/deals', sent)) as { deal: { id: string } };
    await ask(90_000, 'PATCH', `/deals/${deal.id}`, { deal: { amount: 1 } });
  },

  async createPipeline() {
    const stages = many(50, (i) => ({ name: `${i} ${WIDE.repeat(250)}` }));
    const sent = { pipeline: { name: WIDE.repeat(255), stages } };
    const { pipeline } = (await ask(40_000, 'POST', '/pipelines', sent)) as { pipeline: { id: string } };
    await ask(40_000, 'GET', `/pipelines/${pipeline.id}`);
    await ask(40_000, 'PATCH', `/pipelines/${pipeline.id}`, { pipeline: { currency: 'EUR' } });
  },

  async createCustomField() {
    const { custom_field } = (await ask(60_000, 'POST', '/custom_fields', largeField('deals'))) as {
      custom_field: { id: string };
    };
    await ask(60_000, 'GET', `/custom_fields/${custom_field.id}`);
    await ask(60_000, 'PATCH', `/custom_fields/${custom_field.id}`, { custom_field: { required: false } });
  },

  async listCustomFields() {
    for (const type of ['contacts', 'organizations'])
      await ask(60_000, 'POST', '/custom_fields', largeField(type));
    await ask(120_000, 'GET', '/custom_fields');
  },

  async searchRecords() {
    const name = `Wide ${WIDE.repeat(250)}`;
    const location = `Wide ${"'".repeat(250)}`;
    const { calendar_id } = await givenCalendar(workspace, workspace.ada);
    for (let i = 0; i < 50; i++) await givenEvent(workspace.ada, calendar_id, { name, location });
    await ask(100_000, 'GET', '/search?query=wide&limit=50');
  },

  async showTimeline() {
    const stages = many(50, (i) => ({ name: `${i} ${WIDE.repeat(250)}` }));
    const sent = { pipeline: { name: 'Long moves', stages } };
    const { pipeline } = (await ask(40_000, 'POST', '/pipelines', sent)) as { pipeline: PipelineRecord };
    const { id } = await givenDealIn(workspace.ada, pipeline);
    await workspace.ada.api.updateDeal({ params: { id }, body: { deal: { name: WIDE.repeat(255) } } });
    const [from_stage_id, to_stage_id] = pipeline.stages.map((stage) => stage.id) as [string, string];
    const activity: Omit<Activity, 'PK' | 'SK' | 'id' | 'moment'> = {
      ...{ account_id: workspace.account_id, type: 'deal_stage_moved', user_id: null, agent: null },
      ...{ record_type: 'deals', record_id: id, detail: { from_stage_id, to_stage_id } },
    };
    for (let moment = 1; moment <= 100; moment++) {
      const own = newId(new Date(moment));
      await workspace.table.put({ ...keys.activity('deals', id, moment, own), ...activity, id: own, moment });
    }
    await ask(300_000, 'GET', `/timeline?deal_id=${id}&limit=100`);
  },

  async listStageHistory() {
    const stages = many(50, (i) => ({ name: `${i} ${WIDE.repeat(250)}` }));
    const sent = { pipeline: { name: 'Long names', stages } };
    const { pipeline } = (await ask(40_000, 'POST', '/pipelines', sent)) as { pipeline: PipelineRecord };
    const { id } = await givenDealIn(workspace.ada, pipeline);
    const [from, to] = pipeline.stages.map((stage) => stage.id) as [string, string];
    const moved_at = new Date().toISOString();
    const moves = { from_stage_id: from, to_stage_id: to, user_id: null, moved_at };
    for (let number = 1; number <= KEPT_MOVES; number++)
      await workspace.table.put({ ...keys.stageMove(id, number % KEPT_MOVES), ...moves, number });
    await ask(300_000, 'GET', `/deals/${id}/stage_history`);
  },

  async createMilestone() {
    const milestone = { name: WIDE.repeat(255), description: ESCAPED.repeat(20_000) };
    const made = (await ask(120_000, 'POST', '/milestones', { milestone })) as { milestone: { id: string } };
    const { id } = made.milestone;
    const shares = sharesWithMany({ type: 'milestones', id });
    await workspace.table.update<Milestone>(keys.record('milestones', id), { set: { shares } });
    await ask(150_000, 'GET', `/milestones/${id}`);
    await ask(150_000, 'PATCH', `/milestones/${id}`, { milestone: { status: 'missed' } });
  },

  async createSpace() {
    const space = { name: WIDE.repeat(255), description: ESCAPED.repeat(20_000), kind: 'records' };
    const made = (await ask(120_000, 'POST', '/spaces', { space })) as { space: { id: string } };
    const { id } = made.space;
    const shares = sharesWithMany({ type: 'spaces', id });
    await workspace.table.update<Space>(keys.record('spaces', id), { set: { shares } });
    await ask(150_000, 'PATCH', `/spaces/${id}`, { space: { archived: true } });
  },

  async createCalendarEvent() {
    const { calendar_id } = await givenCalendar(workspace, workspace.ada);
    const attendees = many(100, (i) => ({ email_address: `${i}@${'a'.repeat(60)}.example` }));
    const times = { starts_at: '2026-11-23T09:00:00Z', ends_at: '2026-11-23T10:00:00Z' };
    const texts = { name: WIDE.repeat(255), description_html: ESCAPED.repeat(20_000) };
    await ask(30_000, 'POST', '/calendar_events', {
      calendar_event: { calendar_id, ...times, ...texts, attendees },
    });
  },

  /** It is pending: without text and blocks. */
  async createBrief() {
    const { calendar_id } = await givenCalendar(workspace, workspace.ada);
    const { id } = await givenEvent(workspace.ada, calendar_id);
    await ask(50, 'POST', `/calendar_events/${id}/brief`);
  },

  async retrieveDailyBriefing() {
    const [id] = await givenLargeBriefings(workspace, workspace.ada, ['2026-11-20']);
    await ask(300_000, 'GET', `/daily_briefings/${id}`);
  },

  /** The one that is there. */
  async createDailyBriefing() {
    const { time_zone } = workspace.ada.user;
    await givenLargeBriefings(workspace, workspace.ada, [dayIn(time_zone, workspace.ctx.now.getTime())]);
    await ask(300_000, 'POST', '/daily_briefings');
  },

  async createMessage() {
    const id = await givenConversation(workspace.ada);
    const message = { text: `a${ESCAPED.repeat(9_999)}` };
    await ask(60_000, 'POST', `/conversations/${id}/messages`, { message });
  },

  async listConversations() {
    for (let i = 0; i < 100; i++) await givenConversation(workspace.ada, { title: WIDE.repeat(255) });
    await ask(120_000, 'GET', '/conversations?per_page=100');
  },

  async listTermsAssents() {
    const { ada } = workspace;
    const words = WIDE.repeat(500);
    await workspace.table.writeMany(
      many(200, (i) => {
        const version = `${WIDE.repeat(250)}${i}`;
        const put = {
          ...keys.termsAssent(ada.user.id, 'terms', version),
          ...{ id: newId(new Date()), user_id: ada.user.id, document: 'terms', version },
          ...{ method: 'clickwrap', ip_address: null, user_agent: words },
          accepted_at: new Date().toISOString(),
        };
        return { put };
      }),
    );
    await ask(300_000, 'GET', '/terms_assents');
  },

  async listAuditEvents() {
    const name = WIDE.repeat(255);
    const change = { field: 'features', before: name, after: name };
    const subject = { type: 'account' as const, id: workspace.account_id, name };
    const user_agent = WIDE.repeat(500);
    for (const _ of many(100, () => 0)) {
      const changes = many(5, () => change);
      const write = audit({ ...workspace.ctx, now: new Date(), user_agent }, workspace.account_id, {
        action: 'account_updated',
        subject,
        changes,
      });
      await workspace.table.transact([write]);
    }
    await ask(900_000, 'GET', '/audit_events?limit=100');
  },

  async listDeviceTokens() {
    const wide = { name: WIDE.repeat(255), app_version: WIDE.repeat(255) };
    for (let i = 0; i < 50; i++) {
      const device_token = { ...wide, platform: 'android', token: `token-of-a-phone-${i}` };
      await ask(2_000, 'POST', '/device_tokens', { device_token });
    }
    await ask(100_000, 'GET', '/device_tokens');
  },

  async createGroup() {
    const group = await largeGroup();
    const { group: made } = (await ask(230_000, 'POST', '/groups', { group })) as { group: { id: string } };
    await ask(230_000, 'GET', `/groups/${made.id}`);
    await ask(230_000, 'PATCH', `/groups/${made.id}`, { group: { color: '#000000' } });
  },

  async retrieveImport() {
    const { user } = workspace.ada;
    const id = newId(new Date());
    const examples = ['1', '2', '3'].map((end) => `${WIDE.repeat(39)}${end}`);
    const columns = many(200, (i) => ({
      name: `${WIDE.repeat(97)}${i}`,
      field: `custom_fields.${'語'.repeat(255)}`,
      examples,
    }));
    await workspace.table.put({
      ...{
        ...keys.recordImport(user.id, id),
        id,
        account_id: user.account_id,
        user_id: user.id,
        upload_id: id,
      },
      ...{ file_name: '語'.repeat(255), size: 1, record_type: 'contacts', format: 'csv', encoding: 'utf-8' },
      ...{
        delimiter: ',',
        date_order: null,
        pipeline_id: null,
        calendar_id: null,
        dry_run: true,
        status: 'complete',
        columns,
      },
      ...{
        rows_read: 0,
        rows_created: 0,
        rows_updated: 0,
        rows_unchanged: 0,
        rows_failed: 0,
        begin: 0,
        run: 1,
      },
      ...{ error: null, position: { offset: 0, row: 0 }, created_at: new Date().toISOString() },
      ...{ started_at: null, finished_at: null },
    });
    await ask(300_000, 'GET', `/imports/${id}`);
  },

  async createExport() {
    const filters = { query: '語'.repeat(500), tags: many(50, () => newId(new Date())).join(',') };
    await ask(1_000, 'POST', '/exports', {
      export: { record_type: 'contacts', format: 'csv', filters: { query: filters.query } },
    });
  },

  async listMailImports() {
    const mailbox_id = await givenMailbox(workspace, workspace.ada);
    const imports = many(150, () => largeImport(mailbox_id));
    await write(workspace, [...imports, ...imports.map(importPosting)]);
    await ask(150_000, 'GET', `/mailboxes/${mailbox_id}/imports?limit=100`);
  },

  async retrieveMailImport() {
    const mailbox_id = await givenMailbox(workspace, workspace.ada);
    const made = largeImport(mailbox_id);
    const { id } = made;
    await workspace.table.put(made);
    const failure = { name: '語'.repeat(1_000), reason: 'not_a_message', message: 'a'.repeat(200) };
    const failures = many(SHOWN_FAILURES + 50, (ordinal) => ({ ordinal, ...failure }));
    await recordFailures(workspace.table, id, failures);
    await ask(300_000, 'GET', `/mailboxes/${mailbox_id}/imports/${id}`);
  },

  async retrieveMailbox() {
    await ask(350_000, 'GET', `/mailboxes/${await givenLargeMailbox()}`);
  },

  async updateMailbox() {
    await ask(350_000, 'PATCH', `/mailboxes/${await givenLargeMailbox()}`, { mailbox: { name: 'A' } });
  },

  async syncMailbox() {
    const id = await givenLargeMailbox();
    await ask(350_000, 'POST', `/mailboxes/${id}/sync`, {});
  },

  async retrieveSyncReport() {
    const id = await givenLargeMailbox();
    const { table, ada } = workspace;
    const mailbox = (await table.get<Mailbox>(keys.mailbox(ada.user.account_id, id))) as Mailbox;
    const counts = { messages_imported: 1e9, messages_skipped: 1e9, messages_failed: 1e9 };
    const folder = { messages_at_provider: 1e9, differences: 1e9, ...counts } as MailFolder;
    const rows = many(MOST_FOLDERS, (i) => {
      const place = { id: `${i}`, path: `${i}${WIDE.repeat(1_000)}`, role: null, server_id: null };
      return rowOf(place, folder, undefined) ?? [];
    }).flat();
    const [from, to] = [new Date(), new Date()];
    const report = await storeReport(table, mailbox, rows, { from, to });
    const mail_state = { report } as MailState;
    await table.update<Mailbox>(keys.mailbox(ada.user.account_id, id), { set: { mail_state } });
    await ask(5_300_000, 'GET', `/mailboxes/${id}/sync_report`);
  },

  async listNotifications() {
    const { id: user_id } = workspace.ada.user;
    const comment = { id: user_id, snippet: ESCAPED.repeat(200) };
    const payload = { id: user_id, record_type: 'thread', subject: WIDE.repeat(1_000), comment };
    const draft = { user_id, event: 'comment_added' as const, payload, prompting_user_id: user_id };
    const told = many(150, (i) => notify(newNotification(draft, new Date(Date.now() - i))));
    await write(
      workspace,
      told.map((each) => (each as { put: Item }).put),
    );
    await ask(500_000, 'GET', '/notifications?limit=100');
  },

  async markAllNotificationsRead() {
    await ask(50, 'POST', '/notifications/read');
  },

  async retrieveProposal() {
    const [id] = await givenRejected(workspace, workspace.ada, 1);
    await ask(150_000, 'GET', `/proposals/${id}`);
  },

  /** All that ask and are asked, with the longest messages. */
  async listShareRequests() {
    const { id: user_id, account_id } = workspace.ada.user;
    const approver_user_ids = [user_id, ...Array.from({ length: 24 }, () => newId(new Date()))];
    for (let i = 0; i < 100; i++) {
      const [id, record_id] = [newId(new Date()), newId(new Date())];
      const request: ShareRequest = {
        ...{ ...keys.shareRequest(id), id, account_id, user_id: record_id, approver_user_ids },
        ...{ record_type: 'thread', record_id, message: ESCAPED.repeat(1_000), status: 'pending' },
        ...{ answered_by_user_id: null, answered_at: null, share_id: null },
        ...{ created_at: new Date().toISOString(), updated_at: null },
      };
      await workspace.table.transact(newRequestWrites(request, undefined));
    }
    await ask(250_000, 'GET', '/share_requests');
  },

  async rejectProposal() {
    const { id: record_id } = await givenContact(workspace.ada, { headline: 'Clerk' });
    const draft = { action_type: 'contact.update', params: { record_id, headline: 'Analyst' } };
    const { id } = await givenProposal(workspace, workspace.ada, draft);
    await ask(120_000, 'POST', `/proposals/${id}/reject`, { reason: REASON });
  },

  /** Each fails with all addresses of a contact, because other contacts have taken them. */
  async resolveProposals() {
    const email_addresses = many(EMAIL_ADDRESSES, (i) => ({ email_address: `${i}@ferries.example` }));
    const draft = { action_type: 'contact.create', params: { name: 'Ada', email_addresses } };
    const ids: string[] = [];
    for (let i = 0; i < 100; i++) ids.push((await givenProposal(workspace, workspace.ada, draft)).id);
    await givenContact(workspace.ada, { email_addresses });
    const { results } = (await ask(800_000, 'POST', '/proposals/resolve', { ids, action: 'accept' })) as {
      results: { error: { code: string } }[];
    };
    for (const { error } of results) expect(error.code).toBe('email_address_taken');
  },

  async retrieveMessage() {
    const { ada } = workspace;
    const conversation_id = await givenConversation(ada);
    const { reply } = (await askAssistant(ada, conversation_id)).body;
    const text = ESCAPED.repeat(100_000);
    await answer(workspace, reply, { status: 'complete', text, blocks: [{ type: 'text', text }], refs: [] });
    await ask(1_000_000, 'GET', `/conversations/${conversation_id}/messages/${reply.id}`);
  },

  /** A redirect, which has no body. */
  async downloadFile() {
    const { ada } = workspace;
    const thread = await givenThread(workspace, { users: [ada] });
    const { id, file_id } = await givenAttachment(workspace, thread, ada.user.account_id);
    const headers = [bearer(ada.session_token)];
    const path = `/files/${file_id}/download?attachment_id=${id}`;
    const { status, text } = await raw(workspace.url, { path, headers });
    expect([status, text]).toEqual([302, '']);
  },

  /** The same. */
  async downloadAvatar() {
    const id = randomUUID();
    await bucketOf(workspace.ctx).put(
      objectKeys.avatar(workspace.account_id, id),
      Buffer.from('x'),
      'image/png',
    );
    const { status, text } = await raw(workspace.url, {
      path: `/accounts/${workspace.account_id}/avatars/${id}`,
    });
    expect([status, text]).toEqual([302, '']);
  },

  async createUpload() {
    const upload = { file_name: WIDE.repeat(255), content_type: `a/b;${'c'.repeat(251)}`, size: 1 };
    await ask(1_500, 'POST', '/uploads', { upload });
  },

  async retrieveCurrentUser() {
    const { account_id, ada } = workspace;
    await workspace.table.update<User>(keys.user(account_id, ada.user.id), {
      add: { group_ids: new Set(many(MAX_GROUPS, () => newId(new Date()))) },
    });
    await ask(19_000, 'GET', '/users/me');
  },

  async listDeletions() {
    const { account_id, table } = workspace;
    const list = endedList('deals');
    for (const _ of many(100, () => 0)) {
      const id = newId(new Date());
      await table.put(keys.posting(account_id, list, endedRank(Date.now(), id)));
    }
    await ask(13_000, 'GET', '/deals/deleted?limit=100');
  },

  async retrieveUnsubscription() {
    await ask(400, 'GET', `/unsubscriptions?token=${tokenOfMail()}`);
  },

  async createUnsubscription() {
    await ask(400, 'POST', `/unsubscriptions?token=${tokenOfMail()}`);
  },

  async retrieveDocs() {
    await ask(400, 'GET', '/docs');
  },

  async retrieveApp() {
    await ask(200, 'GET', '/app');
  },

  async retrieveOpenApi() {
    await ask(200_000, 'GET', '/openapi.json');
  },

  async retrieveDocsAsset() {
    for (const asset of ['swagger-ui-bundle.js', 'swagger-ui.css', 'init.js'])
      await ask(50, 'GET', `/docs/${asset}`);
  },
};

/** The link in a mail about notifications has it. */
function tokenOfMail(): string {
  const { account_id, id: user_id } = workspace.ada.user;
  return unsubscribeToken(workspace.ctx.config.cursor_keys, { account_id, user_id }, new Date());
}

/** Operations that return the same record: another case covers them, or has the larger response. */
const alike: Record<string, string> = {
  updateAgentConfiguration: 'listAgentConfigurations',
  createImport: 'retrieveImport',
  applyImport: 'retrieveImport',
  retrieveExport: 'createExport',
  updateContact: 'createContact',
  mergeContacts: 'createContact',
  unmergeContacts: 'createContact',
  enrichContact: 'createContact',
  mergeDuplicate: 'createContact',
  updateOrganization: 'createOrganization',
  createFile: 'updateFile',
  retrieveUpload: 'createUpload',
  createTermsAssent: 'listTermsAssents',
  retrieveUser: 'retrieveCurrentUser',
  createUser: 'retrieveCurrentUser',
  updateUser: 'retrieveCurrentUser',
  retrieveTask: 'createTask',
  updateTask: 'createTask',
  updateDeal: 'createDeal',
  retrieveCustomField: 'createCustomField',
  updateCustomField: 'createCustomField',
  retrievePipeline: 'createPipeline',
  updatePipeline: 'createPipeline',
  retrieveMilestone: 'createMilestone',
  updateMilestone: 'createMilestone',
  retrieveGroup: 'createGroup',
  updateGroup: 'createGroup',
  createMailImport: 'retrieveMailImport',
  createMailbox: 'updateMailbox',
  retrieveDraft: 'createDraft',
  updateDraft: 'createDraft',
  attachToDraft: 'createDraft',
  sendDraft: 'createDraft',
  updateMailboxCredentials: 'updateMailbox',
  markNotificationRead: 'listNotifications',
  markNotificationUnread: 'listNotifications',
  undismissNotification: 'listNotifications',
  updateSpace: 'createSpace',
  createShareRequest: 'listShareRequests',
  retrieveShareRequest: 'listShareRequests',
  approveShareRequest: 'listShareRequests',
  denyShareRequest: 'listShareRequests',
  acceptProposal: 'retrieveProposal',
  undoProposal: 'retrieveProposal',
};

test.each(Object.entries(cases))('%s', { timeout: 120_000 }, async (_, run) => {
  await run();
});

/** Every schema in the success responses, themselves included. */
function schemasOf({ definition }: Operation): z.core.$ZodType[] {
  const found = new Set<z.core.$ZodType>();
  const visit = (schema: z.core.$ZodType) => {
    if (found.has(schema)) return;
    found.add(schema);
    if (schema instanceof z.ZodObject) Object.values(schema.shape).forEach(visit);
    else if (schema instanceof z.ZodArray) visit(schema.element);
    else if (schema instanceof z.ZodRecord) visit(schema.valueType);
    else if (schema instanceof z.ZodUnion) schema.options.forEach(visit);
    else if (schema instanceof z.ZodPipe) visit(schema.out);
    else if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) visit(schema.unwrap());
  };
  for (const response of Object.values(definition.returns))
    if (response && !isContent(response)) Object.values(response).forEach(visit);
  return [...found];
}

const isCollection = (schema: unknown) => schema instanceof z.ZodArray || schema instanceof z.ZodRecord;
const isRecord = (schema: unknown) => schema instanceof z.ZodObject && 'id' in schema.shape;
const givesText = ({ definition }: Operation) => Object.values(definition.returns).some(isContent);

const buffered = operations.filter(({ definition }) => !definition.streams);
const [collecting, plain] = [true, false].map((wanted) =>
  buffered.filter((each) => (givesText(each) || schemasOf(each).some(isCollection)) === wanted),
) as [Operation[], Operation[]];

test('every operation that returns a collection has a case of its own, or shares that of its record', () => {
  const named = (wanted: string) => operations.find(({ name }) => name === wanted) as Operation;
  const missing = collecting.filter(({ name }) => {
    if (Object.hasOwn(cases, name)) return false;
    const other = alike[name];
    if (!other || !Object.hasOwn(cases, other)) return true;
    const known = new Set(schemasOf(named(other)));
    return schemasOf(named(name)).some((schema) => !known.has(schema));
  });
  expect(missing.map(({ name }) => name)).toEqual([]);
  const names = collecting.map(({ name }) => name);
  expect([...Object.keys(cases), ...Object.keys(alike)].filter((name) => !names.includes(name))).toEqual([]);
});

/** Bytes: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
const ITEM = 400 * 1024;
/** Bytes that JSON makes of one byte: the most are those of a control character. */
const ESCAPE = 6;

test('responses without a collection come from so few items that they are never too large', () => {
  const largest = (each: Operation) => Math.max(1, schemasOf(each).filter(isRecord).length) * ITEM * ESCAPE;
  expect(plain.filter((each) => largest(each) >= RESPONSE_BYTES).map(({ name }) => name)).toEqual([]);
  expect(collecting.length + plain.length).toBe(buffered.length);
});
