import { MemoryIndex } from './memory-index.ts';
import { describeRecallIndex } from './port-contract.ts';

describeRecallIndex('in memory', () => new MemoryIndex());
