import { originOf, prefixOf } from '#shared/api/base-url.ts';
import { bearerSecret } from '#shared/api/bearer.ts';
import type { ApiEvent } from '#shared/api/call.ts';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import type { Config } from '#shared/config.ts';
import { hashSecret } from '#shared/domain/identity/credentials/secret.ts';
import { createTicket } from '#shared/domain/identity/socket-tickets/create.ts';
import { presentTicket, socketTicketSchema } from '#shared/domain/identity/socket-tickets/socket-ticket.ts';

export const createSocketTicket = route('createSocketTicket', {
  method: 'POST',
  path: '/socket_tickets',
  access: 'read',
  summary: 'Make a ticket for live updates',
  description:
    'Connect a WebSocket to `url?ticket=<ticket>` within 60 seconds. A ticket opens one socket, which lives as long as the key or session that made it, and two hours at most. A user has at most 50 sockets at a time.',
  returns: { 201: { socket_ticket: socketTicketSchema } },
  uses: ['live:open'],
});

/** The local run has sockets at its own address. */
const urlOf = ({ socket_url }: Config, event: ApiEvent) =>
  socket_url ?? `${(originOf(event) ?? '').replace(/^http/, 'ws')}${prefixOf(event)}/socket`;

export const handler = handle(createSocketTicket, async ({ ctx, event }) => {
  const { ticket, text } = await createTicket(ctx, hashSecret(bearerSecret(event)));
  return { socket_ticket: presentTicket(ticket, text, urlOf(ctx.config, event)) };
});
