export * as createConversation from './create-conversation.ts';
export * as createMessage from './create-message.ts';
export * as deleteConversation from './delete-conversation.ts';
export * as listConversations from './list-conversations.ts';
export * as listMessages from './list-messages.ts';
export * as retrieveConversation from './retrieve-conversation.ts';
export * as retrieveMessage from './retrieve-message.ts';
export * as updateConversation from './update-conversation.ts';
