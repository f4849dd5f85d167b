export * as listAuditEvents from './list-audit-events.ts';
