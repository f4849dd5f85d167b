export * as createSocketTicket from './create-socket-ticket.ts';
