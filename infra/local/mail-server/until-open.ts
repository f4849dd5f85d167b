import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Throws the problem when the server ended, or is not there within ten seconds. */
export async function untilOpen(port: number, ended: Promise<unknown>, problem: string): Promise<void> {
  let over = false;
  const note = () => {
    over = true;
  };
  ended.then(note, note);
  for (let i = 0; i < 500 && !over; i++) {
    if (await isOpen(port)) return;
    await setTimeout(20);
  }
  throw new Error(problem);
}
