-- The tables that every batch writes keep only the checks that nothing else makes.
--
-- PostgreSQL reads a table's checks anew for each statement that writes it: of a batch's time in the database that was a
-- tenth. Dropped is what each row is held to whenever it is read (a closed set of names, columns that belong together) and
-- what follows from a check that stays. See docs/decisions/0028.

alter table question
    drop constraint question_subject_check,
    drop constraint question_topic_check,
    drop constraint question_quorum_check,
    drop constraint question_revision_check,
    drop constraint question_state_check,
    drop constraint question_resolved_by_check,
    drop constraint question_check,
    drop constraint question_check1,
    drop constraint question_check2,
    drop constraint question_check3,
    drop constraint question_check4,
    drop constraint question_check5;

alter table person
    drop constraint person_id_check,
    drop constraint person_age_kind_check,
    drop constraint person_duties_kind_check,
    drop constraint person_original_kind_check,
    drop constraint person_original_environment_check,
    drop constraint person_revision_check,
    drop constraint person_check,
    drop constraint person_check1;

alter table answer
    drop constraint answer_answer_check,
    drop constraint answer_check,
    drop constraint answer_check1;

alter table event drop constraint event_seq_check;
alter table event_counter drop constraint event_counter_seq_check;
alter table change_progress drop constraint change_progress_status_check;
alter table person_group drop constraint person_group_digest_check;
