export * as showDashboard from './show-dashboard.ts';
