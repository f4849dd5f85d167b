import type * as z from 'zod';
import type { notificationSchema } from '#shared/domain/collaboration/notifications/notification.ts';

/** Listens to live updates, and stays connected (docs/guides/live-updates.md). */

type Changed<Type extends string, More extends string = never> = {
  type: `${Type}.changed`;
  data: { id: string; changed: string[] } & Record<More, string>;
};

export type LiveMessage = { at: string } & (
  | { type: 'notification.created'; data: z.infer<typeof notificationSchema> }
  | { type: 'notification.counts'; data: { unread_counts: Record<string, number> } }
  | Changed<'thread'>
  | Changed<'comment', 'record_type' | 'record_id'>
  | Changed<'conversation_message', 'conversation_id'>
  | Changed<'proposal'>
  | Changed<'draft'>
  | Changed<'mailbox'>
);

export interface SubscribeOptions {
  onMessage(message: LiveMessage): void;
  /** With every connection: what changed before it was not told, so whatever is shown has to be read again. */
  onReread(): void;
  /** The key or the session has ended: it does not connect again. */
  onEnd?(error: unknown): void;
  /** Waits between two attempts, by default with timers. */
  wait?(milliseconds: number): Promise<void>;
}

export interface Subscription {
  close(): void;
}

/** Throws what the API answered when there is none. */
export type GetTicket = () => Promise<{ url: string; ticket: string }>;

/** Milliseconds: at most so long before the second attempt, twice as long before the next, and never longer. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 30_000;
/** Milliseconds between pings. A socket on which none is answered until the next one is dead. */
const PING = 60_000;

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Any time up to the limit, so that clients that lost their connections together do not come back together. */
export const waitFor = (failures: number): number =>
  Math.random() * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(failures, 10));

const hasEnded = (error: unknown) => [401, 403].includes((error as { status?: number }).status ?? 0);

/** Closes a socket that went silent, and does not wait for its server to answer that. Returns what ends the watch. */
function watch(socket: WebSocket, silent: () => void): () => void {
  let heard = true;
  const timer = setInterval(() => {
    if (!heard) {
      socket.close();
      return silent();
    }
    heard = false;
    socket.send('{"type":"ping"}');
  }, PING);
  socket.addEventListener('message', () => {
    heard = true;
  });
  return () => clearInterval(timer);
}

/** One connection, from its ticket to its end. Returns whether it opened. */
async function connect(
  getTicket: GetTicket,
  { onMessage, onReread }: SubscribeOptions,
  opened: (socket: WebSocket) => void,
): Promise<boolean> {
  const { url, ticket } = await getTicket();
  const socket = new WebSocket(`${url}?ticket=${encodeURIComponent(ticket)}`);
  opened(socket);
  const ended = Promise.withResolvers<unknown>();
  let open = false;
  let unwatch = () => {};
  socket.addEventListener('open', () => {
    open = true;
    unwatch = watch(socket, () => ended.resolve(undefined));
    onReread();
  });
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(data) as LiveMessage | { type: 'ping' };
    if (message.type !== 'ping') onMessage(message);
  });
  socket.addEventListener('close', ended.resolve, { once: true });
  await ended.promise;
  unwatch();
  return open;
}

export function subscribe(getTicket: GetTicket, options: SubscribeOptions): Subscription {
  const { wait = sleep, onEnd } = options;
  let closed = false;
  let current: WebSocket | undefined;
  const keep = (socket: WebSocket) => {
    current = socket;
    if (closed) socket.close();
  };
  const run = async () => {
    for (let failures = 0; !closed; failures++) {
      try {
        if (await connect(getTicket, options, keep)) failures = 0;
      } catch (error) {
        if (!closed && hasEnded(error)) return onEnd?.(error);
      }
      if (!closed) await wait(waitFor(failures));
    }
  };
  void run();
  return {
    close() {
      closed = true;
      current?.close();
    },
  };
}
