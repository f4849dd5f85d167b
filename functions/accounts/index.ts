export * as checkInitialization from './check-initialization.ts';
export * as completeInitialization from './complete-initialization.ts';
export * as createAccount from './create-account.ts';
export * as createCreditCard from './create-credit-card.ts';
export * as retrieveAccount from './retrieve-account.ts';
export * as throttleCheck from './throttle-check.ts';
export * as updateAccount from './update-account.ts';
export * as updateCreditCard from './update-credit-card.ts';
