import type { User } from './user.ts';

export type Joining = Pick<User, 'status' | 'joining'>;

/** Was invited and never signed in: the invitation is open, or withdrawn. */
export const neverJoined = ({ status, joining }: Joining): boolean =>
  status === 'invited' || joining === true;

/** Nobody any more: another user of the account may be invited to the address, or have it. */
export const isWithdrawn = ({ status, joining }: Joining): boolean =>
  status === 'deactivated' && joining === true;
