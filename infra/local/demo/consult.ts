import { askAt, askIn, briefToday } from './ask.ts';
import type { DemoRecords } from './records.ts';
import type { Workspace } from './workspace.ts';

/** What people and the assistant make of each other: conversations, proposals with their answers, and briefings. */

async function converse(workspace: Workspace, { conversations }: DemoRecords): Promise<void> {
  for (const { by, title, questions } of conversations) {
    const api = workspace.api(by);
    const { body } = await api.createConversation({ body: { conversation: { title } } });
    for (const text of questions) await askIn(api, body.conversation.id, text);
  }
}

async function request(workspace: Workspace, { requests }: DemoRecords): Promise<void> {
  const answered = requests.map(async ({ by, on, text, answer }) => {
    const api = workspace.api(by);
    const { blocks } = await askAt(api, await workspace.record(by, on), text);
    const proposal = blocks.find((block) => block.type === 'proposal');
    if (!proposal) throw new Error(`The assistant of the demo proposes nothing for "${text}"`);
    const params = { proposal_id: proposal.proposal_id };
    if (answer === 'accept') await api.acceptProposal({ params, body: {} });
    else if (answer) await api.rejectProposal({ params, body: { reason: answer.reject } });
  });
  await Promise.all(answered);
}

async function enrich(workspace: Workspace, { enriched }: DemoRecords): Promise<void> {
  for (const { by, contact_name } of enriched) {
    const { record_id } = await workspace.record(by, { contact_name });
    await workspace.api(by).enrichContact({ params: { contact_id: record_id } });
  }
}

/** What their day brings. */
async function brief(workspace: Workspace, { briefed }: DemoRecords): Promise<void> {
  for (const by of briefed) await briefToday(workspace.api(by));
}

/** Some have looked at their notifications. What arrives later is unread, and new. */
async function tidyUp(workspace: Workspace, { tidied }: DemoRecords): Promise<void> {
  for (const key of tidied) {
    const { api, session, id } = workspace.user(key);
    const query = { slice: 'comment_added' };
    const { records } = (await api.listNotifications({ query })).body.collection;
    const oldest = records.at(-1);
    if (oldest) await api.dismissNotification({ params: { id: oldest.id } });
    await api.markAllNotificationsRead();
    await session.createNotificationView({ params: { user_id: id } });
  }
}

export async function consult(workspace: Workspace, records: DemoRecords): Promise<void> {
  await tidyUp(workspace, records);
  await Promise.all([converse(workspace, records), request(workspace, records), enrich(workspace, records)]);
  await brief(workspace, records);
}
