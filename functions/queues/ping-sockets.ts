import { sockets } from '#shared/composition/live.ts';
import { contextOf } from '#shared/context.ts';
import { sweepSockets } from '#shared/domain/identity/sockets/sweep.ts';
import { getServices } from '#shared/services.ts';

/** Every five minutes: keeps sockets open, forgets those that are gone, and closes those that may not stay. */
export async function handler(): Promise<void> {
  await sweepSockets(contextOf(getServices(), sockets));
}
