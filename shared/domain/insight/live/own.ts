import { type Message, messageSchema } from '#shared/domain/assistant/conversations/message.ts';
import { type Draft, draftSchema } from '#shared/domain/mail/drafts/draft.ts';
import { keys } from '#shared/table/keys.ts';
import type { Change } from '#shared/table/stream.ts';
import { changedFields, sameNames } from './changed-fields.ts';
import type { LiveKind, News } from './news.ts';

/** What is one user's alone. */

const ofDraft = {
  ...sameNames(draftSchema.shape),
  packed: ['body', 'body_html'],
  answered: ['thread_id'],
  undelivered: ['delivery'],
};

function draftNews(change: Change): News[] {
  const { id, user_id } = (change.after ?? change.before) as Draft;
  const changed = changedFields(change, ofDraft);
  return [{ kind: 'own', type: 'draft.changed', about: { id }, user_id, changed }];
}

export const drafts: LiveKind = {
  partition: keys.draft('', '').PK,
  sort: keys.draft('', '').SK,
  news: draftNews,
};

/** One that is sent moves to another item: no field changes that the move alone touches. */
export const sentDrafts: LiveKind = {
  partition: keys.sentDraft('', '').PK,
  sort: keys.sentDraft('', '').SK,
  news: draftNews,
};

const ofMessage = {
  ...sameNames(messageSchema.shape),
  reply: ['text', 'status', 'blocks', 'refs'],
};

export const conversationMessages: LiveKind = {
  partition: keys.conversationMessage('', '').PK,
  sort: keys.conversationMessage('', '').SK,
  news(change): News[] {
    const { id, conversation_id, user_id } = (change.after ?? change.before) as Message;
    const changed = changedFields(change, ofMessage);
    const about = { id, conversation_id };
    return [{ kind: 'own', type: 'conversation_message.changed', about, user_id, changed }];
  },
};

/** A new one, and whatever changes which are read, new or listed. */
export const notifications: LiveKind = {
  partition: keys.notification('', '').PK,
  sort: '',
  news({ key: { PK, SK }, before, after }): News[] {
    const user_id = PK.split('#')[1] as string;
    const is_new = SK.startsWith(keys.notification('', '').SK) && after && !before;
    return [{ kind: 'notifications', user_id, ...(is_new ? { created: after.id as string } : {}) }];
  },
};
