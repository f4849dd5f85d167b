export * as createConversation from './create-conversation.ts';
export * as listConversations from './list-conversations.ts';
export * as retrieveConversation from './retrieve-conversation.ts';
export * as updateConversation from './update-conversation.ts';
