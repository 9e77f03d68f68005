"""The graph people edit (:class:`KnowledgeGraph`) and the compiled one stages read (:class:`GraphIndex`)."""
