import { call, Refusal } from './api.ts';

/**
 * Tells the page when something may have changed: by the socket where the service has one, else every 30 seconds while
 * the page is visible. Messages carry ids only; the page reads again what it shows.
 */

/** Milliseconds. */
const POLL = 30_000;
const PING = 60_000;
/** Many changes at once are one refresh. */
const GATHER = 400;

interface Ticket {
  socket_ticket: { ticket: string; url: string };
}

let socket: WebSocket | undefined;
/** Something came by it since the last ping: one on which nothing comes is dead. */
let heard = false;
/** Whether this service has sockets; unknown at first. */
let absent = false;
let gathering: ReturnType<typeof setTimeout> | undefined;
const timers: ReturnType<typeof setInterval>[] = [];

export type Change = (type: string) => void;

/** Undefined for what is no message. */
function typeOf(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { type?: string } | null)?.type;
  } catch {
    return undefined;
  }
}

async function open(change: Change): Promise<void> {
  const { socket_ticket } = (await call('POST', '/socket_tickets')) as unknown as Ticket;
  const url = new URL(socket_ticket.url);
  url.searchParams.set('ticket', socket_ticket.ticket);
  const opened = new WebSocket(url);
  socket = opened;
  // What changed before was not told.
  opened.onopen = () => {
    heard = true;
    change('open');
  };
  opened.onmessage = ({ data }) => {
    heard = true;
    const type = typeOf(String(data));
    if (type === undefined || type === 'ping') return;
    clearTimeout(gathering);
    gathering = setTimeout(() => change(type), GATHER);
  };
  opened.onclose = () => {
    if (socket === opened) socket = undefined;
  };
}

/** Where there is no such operation, nor the right to it, the page polls. */
async function connect(change: Change): Promise<void> {
  if (absent) return;
  try {
    await open(change);
  } catch (error) {
    absent = error instanceof Refusal && error.status < 500;
  }
}

const isOpen = () => socket?.readyState === WebSocket.OPEN;

function ping(): void {
  if (!isOpen()) return;
  const open = socket;
  if (heard) open?.send(JSON.stringify({ type: 'ping' }));
  else {
    socket = undefined;
    open?.close();
  }
  heard = false;
}

/** Polls, and tries the socket again each time that there is none. */
function tick(change: Change): void {
  if (document.hidden || isOpen()) return;
  change('poll');
  void connect(change);
}

export function startLive(change: Change): void {
  void connect(change);
  timers.push(
    setInterval(() => tick(change), POLL),
    setInterval(ping, PING),
  );
}

export function stopLive(): void {
  for (const timer of timers.splice(0)) clearInterval(timer);
  clearTimeout(gathering);
  const open = socket;
  socket = undefined;
  absent = false;
  open?.close();
}
