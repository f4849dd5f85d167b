export * as countDeals from './count-deals.ts';
export * as createDeal from './create-deal.ts';
export * as deleteDeal from './delete-deal.ts';
export * as listDeals from './list-deals.ts';
export * as listStageHistory from './list-stage-history.ts';
export * as retrieveDeal from './retrieve-deal.ts';
export * as updateDeal from './update-deal.ts';
