import type { Holder } from '#shared/domain/identity/socket-tickets/socket-ticket.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import type { BatchWrite, Item } from '#shared/table/table.ts';

/** An open socket as stored, once for its account and once by its connection. */
export type Socket = Item &
  Holder & {
    connection_id: string;
    opened_at: string;
    expires_epoch: number;
  };

/** API Gateway closes every socket after two hours (seconds). */
const LIFETIME = 7_200;
/** Seconds that items outlive a socket whose end nobody reported. */
const MARGIN = 900;

/** API Gateway needs up to 29 seconds until a socket that we let in can be sent to (milliseconds). */
const OPENING = 30_000;

export const placesOf = ({ account_id, user_id, connection_id }: Omit<Socket, keyof Item>): Key[] => [
  keys.socket(account_id, user_id, connection_id),
  keys.socketPlace(connection_id),
];

/** Everything that is stored when a socket opens. */
export function opening(
  { account_id, user_id, credential }: Holder,
  connection_id: string,
  now: Date,
): { socket: Socket; writes: BatchWrite[] } {
  const shown = {
    ...{ account_id, user_id, credential, connection_id },
    opened_at: now.toISOString(),
    expires_epoch: Math.ceil(now.getTime() / 1_000) + LIFETIME + MARGIN,
  };
  const [own, place] = placesOf(shown) as [Key, Key];
  const { expires_epoch } = shown;
  return {
    socket: { ...own, ...shown },
    writes: [
      { put: { ...own, ...shown } },
      { put: { ...place, ...shown } },
      { put: { ...keys.socketUser(user_id), account_id, user_id, expires_epoch } },
    ],
  };
}

/** Whether API Gateway may not know it yet, although it is let in. */
export const isOpening = ({ opened_at }: Pick<Socket, 'opened_at'>, now: Date): boolean =>
  now.getTime() - Date.parse(opened_at) < OPENING;
