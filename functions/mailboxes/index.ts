export * as createMailImport from './create-mail-import.ts';
export * as listMailImports from './list-mail-imports.ts';
export * as listMailboxes from './list-mailboxes.ts';
export * as retrieveMailImport from './retrieve-mail-import.ts';
export * as retrieveMailbox from './retrieve-mailbox.ts';
export * as syncMailbox from './sync-mailbox.ts';
export * as updateMailbox from './update-mailbox.ts';
export * as updateMailboxCredentials from './update-mailbox-credentials.ts';
