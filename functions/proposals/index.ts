export * as acceptProposal from './accept-proposal.ts';
export * as listProposals from './list-proposals.ts';
export * as rejectProposal from './reject-proposal.ts';
export * as resolveProposals from './resolve-proposals.ts';
export * as retrieveProposal from './retrieve-proposal.ts';
export * as undoProposal from './undo-proposal.ts';
