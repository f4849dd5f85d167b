export * as flagThread from './flag-thread.ts';
export * as listThreads from './list-threads.ts';
export * as markThreadRead from './mark-thread-read.ts';
export * as markThreadUnread from './mark-thread-unread.ts';
export * as retrieveThread from './retrieve-thread.ts';
export * as unflagThread from './unflag-thread.ts';
