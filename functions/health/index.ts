export * as retrieveHealth from './retrieve-health.ts';
