//! The evidence that runs leave: what later rooms and reports read.
//!
//! Rates are over *eligible* metamorphic groups only; the ineligible are counted and shown beside them.

mod adequacy;
mod comparison;
mod composition;
mod coverage;
mod detection;
mod discovery;
mod frames;
mod generation;
mod hierarchy;
mod laws;
mod matrix;
mod mutant;
mod mutation;
mod pairs;
mod proof;
mod record;
mod run;
mod schedule;
mod score;
mod strength;
mod survey;
mod tally;
mod version;

pub use adequacy::{AdequacyRecord, GroupRecord, PathShares, RequirementRecord, SelectionRecord};
pub use comparison::{
    ComparisonRecord, Difference, DifferenceRow, FaultRow, FaultyVersions, Spread, SuiteRow, TechniqueRow,
};
pub use composition::{
    BasicRelation, CompositeRelation, CompositionRecord, CompositionStop, FrontPoint, GivenRelations,
    LayerRecord, LeftOutRelation, RefusedSequences,
};
pub use coverage::{BlockCoverage, BranchCoverage, CoverageRecord, FileCoverage, LineCoverage, Share};
pub use detection::{Undetected, apfd, fault_detection_rate, mutation_score};
pub use discovery::{
    DiscoveredRelation, DiscoveryPairs, DiscoveryProof, DiscoveryRecord, DiscoverySearch, DiscoverySources,
    DiscoveryStop, DiscoveryVersion, DiscoveryWork, FilterStep, FoundBy, LeftOut, RefutedRelation,
    UnconfirmedRelation,
};
pub use dodona_relations::{Ineligible, Verdict, Violation};
pub use frames::{
    CategoryRecord, FrameRecord, FramesRecord, IdentificationRecord, IdentifiedRelation, InputOrigins,
    MisfitRecord, OpenOutputsRecord, RefutedIdentification,
};
pub use generation::{GenerationRecord, Mismatch, SearchRecord, UncoveredBranch, Unreached};
pub use hierarchy::{HierarchyGraph, HierarchyNode};
pub use laws::{LawGroup, LawRecord, LawsRecord, LawsStop, LookedAt, RefutedLaw, SkippedFunction};
pub use matrix::{KillMatrix, MatrixError, MatrixOrigin, Section, SectionKind};
pub use mutant::{
    FailedCall, Fate, Judgement, KillKind, MutantId, MutantRecord, NotAMutantId, Place, Proof, RelationKill,
    Revealed, Symbolic,
};
pub use mutation::{
    Against, ExecutionCounts, Mode, MutatedFunction, MutationRecord, Pruning, RelationScore, SkippedSite,
    StaleEntry,
};
pub use pairs::{CandidatePair, PairAnswer, PairKey, read_pairs, write_pairs};
pub use proof::{ProofRecord, ProofVerdict, RelationProof};
pub use record::{
    Binding, CallRecord, CheckRecord, Counterexample, Elapsed, FORMAT_VERSION, Provenance, RelationRecord,
    RelationVerdict, SideRecord, StopReason,
};
pub use run::{
    AgainstRecord, Change, ChangedFunction, ChangedRelation, FileLines, Finder, FunctionRun, RelationState,
    RepeatedOptions, RunAdequacy, RunCoverage, RunFaults, RunRecord, RunRelation, SubjectRun, SurvivingLine,
    statement,
};
pub use schedule::{ScheduleRecord, ScheduledPartition, ScheduledRelation};
pub use score::{NoScore, OperatorRow};
pub use strength::{AlternativeBlocks, DominatorGroup, HierarchyRecord, MutantClass, StaticStrength};
pub use survey::{BrokenPromise, SurveyRecord, SurveyedFunction, SurveyedRelation};
pub use tally::Tally;
pub use version::{SameCodeAs, VersionRecord};
