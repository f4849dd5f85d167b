/** What sockets are told (docs/specification/views.md, "Live updates"). */

export const messageTypes = [
  'notification.created',
  'notification.counts',
  'thread.changed',
  'comment.changed',
  'conversation_message.changed',
  'proposal.changed',
  'draft.changed',
  'mailbox.changed',
  'ping',
] as const;

export type MessageType = (typeof messageTypes)[number];

export interface SocketMessage {
  type: MessageType;
  data: object;
}

/** As it is sent: `{type, at, data}`. */
export const messageText = ({ type, data }: SocketMessage, at: Date): string =>
  JSON.stringify({ type, at: at.toISOString(), data });
