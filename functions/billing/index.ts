export * as createBillingEvent from './create-billing-event.ts';
