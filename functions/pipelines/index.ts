export * as createPipeline from './create-pipeline.ts';
export * as createStage from './create-stage.ts';
export * as deletePipeline from './delete-pipeline.ts';
export * as deleteStage from './delete-stage.ts';
export * as listPipelines from './list-pipelines.ts';
export * as retrievePipeline from './retrieve-pipeline.ts';
export * as updatePipeline from './update-pipeline.ts';
export * as updateStage from './update-stage.ts';
