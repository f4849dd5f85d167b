export * as createUnsubscription from './create-unsubscription.ts';
export * as retrieveUnsubscription from './retrieve-unsubscription.ts';
